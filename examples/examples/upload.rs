//! A server that answers uploads with their SM3 digests, and a watch on its runtime: how late does a task
//! come that wants to run every 2 ms?
//!
//! `cargo run --release --package shangmi-examples --example upload`
//!
//! Two ways are compared: hashing on the runtime's thread, and [`Uploads`]. Everything is on the loopback
//! interface and stops by itself.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream as Client};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use shangmi::sm3::{self, Digest, Sm3};
use shangmi_examples::upload::{PIECE_LEN, Uploads};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::time::sleep;

const UPLOAD_LEN: usize = 16 << 20;
const CLIENTS: usize = 4;

#[derive(Clone)]
enum Way {
    OnTheRuntime,
    BesideIt(Uploads),
}

#[expect(clippy::print_stdout, reason = "the example's results")]
fn main() -> io::Result<()> {
    let clients = NonZeroUsize::MIN.saturating_add(CLIENTS - 1);
    let uploads = Uploads::new(clients, available_parallelism()?);
    println!("{CLIENTS} uploads of {} MiB at once", UPLOAD_LEN >> 20);
    for (name, way) in [
        ("hashed on the runtime", Way::OnTheRuntime),
        ("hashed beside it", Way::BesideIt(uploads)),
    ] {
        let (rate, late) = measure(way)?;
        println!("  {name:22} {rate:5.0} MB/s, a task at most {late:.1?} late");
    }
    Ok(())
}

/// Megabytes a second, and how late a task came.
fn measure(way: Way) -> io::Result<(f64, Duration)> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    let body: Arc<[u8]> = (0..UPLOAD_LEN).map(|i| (i % 251) as u8).collect();
    let expected = sm3::digest(&body);
    let start = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let body = Arc::clone(&body);
            thread::spawn(move || upload(address, &body))
        })
        .collect();
    let late = runtime.block_on(serve(listener, way))?;
    let seconds = start.elapsed().as_secs_f64();
    for client in clients {
        let digest = client.join().expect("a client does not panic")?;
        assert_eq!(digest, expected, "the answer is the upload's digest");
    }
    Ok(((CLIENTS * UPLOAD_LEN) as f64 / seconds / 1e6, late))
}

/// A client: sends all, then reads the digest.
fn upload(address: SocketAddr, body: &[u8]) -> io::Result<Digest> {
    let mut server = Client::connect(address)?;
    server.write_all(body)?;
    server.shutdown(Shutdown::Write)?;
    let mut digest = Digest::default();
    server.read_exact(&mut digest)?;
    Ok(digest)
}

/// Serves as many connections as there are clients; how late the watch came at worst.
async fn serve(listener: TcpListener, way: Way) -> io::Result<Duration> {
    let worst = Arc::new(AtomicU64::new(0));
    let watch = tokio::spawn(watch(Arc::clone(&worst)));
    let mut connections = Vec::new();
    for _ in 0..CLIENTS {
        let (connection, _) = listener.accept().await?;
        connections.push(tokio::spawn(answer(connection, way.clone())));
    }
    for connection in connections {
        connection.await.map_err(io::Error::other)??;
    }
    watch.abort();
    Ok(Duration::from_nanos(worst.load(Ordering::Relaxed)))
}

async fn answer(mut connection: TcpStream, way: Way) -> io::Result<()> {
    let digest = match way {
        Way::OnTheRuntime => on_the_runtime(&mut connection).await?,
        Way::BesideIt(uploads) => uploads.digest(&mut connection).await?.1,
    };
    connection.write_all(&digest).await
}

/// What not to do.
async fn on_the_runtime(connection: &mut TcpStream) -> io::Result<Digest> {
    let mut hash = Sm3::new();
    let mut piece = vec![0; PIECE_LEN];
    loop {
        match connection.read(&mut piece).await? {
            0 => return Ok(hash.finalize()),
            length => hash.update(&piece[..length]),
        }
    }
}

/// Wants to run every 2 ms and notes how late it came.
async fn watch(worst: Arc<AtomicU64>) {
    let pause = Duration::from_millis(2);
    loop {
        let start = Instant::now();
        sleep(pause).await;
        let late = start.elapsed().saturating_sub(pause).as_nanos();
        worst.fetch_max(u64::try_from(late).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}
