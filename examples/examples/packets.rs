//! Many tasks, each with one small packet after another: hashed on the spot, and in batches.
//!
//! `cargo run --release --package shangmi-examples --example packets`
//!
//! First without a network, which shows what a batch costs and brings; then a server with many connections
//! on the loopback interface. It stops by itself.

use std::io;
use std::time::{Duration, Instant};

use shangmi::sm3::{self, DIGEST_LEN, Digest};
use shangmi_examples::batch::{Batcher, Policy};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Tasks or connections at once.
const CALLERS: usize = 256;

/// Packets of one of them.
const PACKETS: usize = 100;

#[derive(Clone)]
enum Way {
    OnTheSpot,
    Batches(Batcher),
}

impl Way {
    async fn digest(&self, packet: Vec<u8>) -> io::Result<Digest> {
        match self {
            Self::OnTheSpot => Ok(sm3::digest(&packet)),
            Self::Batches(batcher) => batcher
                .digest(packet)
                .await
                .map_err(|refused| io::Error::other(format!("{refused:?}"))),
        }
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the example's results")]
async fn main() -> io::Result<()> {
    println!("{CALLERS} callers at once        packets/s   median   99 %");
    for length in [64, 1 << 10, 8 << 10] {
        let ways = [
            ("on the spot", Way::OnTheSpot),
            (
                "in batches",
                Way::Batches(Batcher::start(Policy::default())?),
            ),
        ];
        for (name, way) in ways {
            let line = |what, (rate, median, last): (f64, Duration, Duration)| {
                println!("{length:5} B {what} {name:11} {rate:10.0} {median:8.0?} {last:8.0?}");
            };
            line("in memory,", run(in_memory, &way, length).await?);
            line("over TCP, ", over_tcp(&way, length).await?);
        }
    }
    Ok(())
}

/// Packets a second, the median latency, and that which 99 % keep.
async fn run<F>(
    caller: impl Fn(Way, usize) -> F,
    way: &Way,
    length: usize,
) -> io::Result<(f64, Duration, Duration)>
where
    F: Future<Output = io::Result<Vec<Duration>>> + Send + 'static,
{
    let start = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        callers.spawn(caller(way.clone(), length));
    }
    let mut latencies = Vec::new();
    for one in callers.join_all().await {
        latencies.extend(one?);
    }
    let rate = latencies.len() as f64 / start.elapsed().as_secs_f64();
    latencies.sort();
    let at = |percent: usize| latencies[(latencies.len() - 1) * percent / 100];
    Ok((rate, at(50), at(99)))
}

async fn in_memory(way: Way, length: usize) -> io::Result<Vec<Duration>> {
    let mut latencies = Vec::new();
    for i in 0..PACKETS {
        let packet = vec![i as u8; length];
        let start = Instant::now();
        way.digest(packet).await?;
        latencies.push(start.elapsed());
    }
    Ok(latencies)
}

async fn over_tcp(way: &Way, length: usize) -> io::Result<(f64, Duration, Duration)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(serve(listener, way.clone(), length));
    let client = move |_, length| async move {
        let mut server = TcpStream::connect(address).await?;
        server.set_nodelay(true)?;
        let mut latencies = Vec::new();
        for i in 0..PACKETS {
            let packet = vec![i as u8; length];
            let start = Instant::now();
            server.write_all(&packet).await?;
            let mut digest = [0; DIGEST_LEN];
            server.read_exact(&mut digest).await?;
            latencies.push(start.elapsed());
            assert_eq!(
                digest,
                sm3::digest(&packet),
                "the answer is the packet's digest"
            );
        }
        Ok(latencies)
    };
    let figures = run(client, way, length).await?;
    server.await.map_err(io::Error::other)??;
    Ok(figures)
}

/// Serves [`CALLERS`] connections to their ends.
async fn serve(listener: TcpListener, way: Way, length: usize) -> io::Result<()> {
    let mut connections = JoinSet::new();
    for _ in 0..CALLERS {
        let (connection, _) = listener.accept().await?;
        connections.spawn(answer(connection, way.clone(), length));
    }
    for connection in connections.join_all().await {
        connection?;
    }
    Ok(())
}

async fn answer(mut connection: TcpStream, way: Way, length: usize) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut packet = vec![0; length];
    for _ in 0..PACKETS {
        connection.read_exact(&mut packet).await?;
        let digest = way.digest(packet.clone()).await?;
        connection.write_all(&digest).await?;
    }
    Ok(())
}
