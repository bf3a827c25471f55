//! Sealed files beside the cipher that they are made with: `cargo bench -p shangmi-pki --bench container`.
//!
//! Files are made in the directory for temporary ones: `TMPDIR=/dev/shm` leaves the disk out.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run stops")]

use std::{
    fs::File,
    io::{self, Read, Seek},
    num::NonZeroUsize,
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shangmi::{rng::OsRng, sm2::PrivateKey};
use shangmi_pki::container::{CHUNK_LEN, Header, Payload, Place, Recipient};

const LEN: u64 = 16 << 20;

fn payload() -> Payload {
    let key = PrivateKey::generate(&mut OsRng).unwrap();
    let to = [Recipient::Sm2(*key.public_key())];
    Header::create(&to, &mut OsRng).unwrap().1
}

/// A file that holds `content`.
fn filled(mut content: impl Read) -> File {
    let mut file = tempfile::tempfile().unwrap();
    io::copy(&mut content, &mut file).unwrap();
    file
}

fn container(criterion: &mut Criterion) {
    let payload = payload();
    let mut group = criterion.benchmark_group("container");
    group.throughput(Throughput::Bytes(LEN)).sample_size(20);

    let mut chunk = vec![0; CHUNK_LEN];
    group.bench_function("cipher alone", |bencher| {
        bencher.iter(|| {
            for index in 0..LEN / CHUNK_LEN as u64 {
                payload
                    .seal_chunk(index, Place::Middle, &mut chunk)
                    .unwrap();
            }
        });
    });
    for threads in [1, 2, 4] {
        let threads = NonZeroUsize::new(threads).unwrap();
        group.bench_function(format!("seal in memory/{threads} threads"), |bencher| {
            bencher.iter(|| payload.seal_all_on(threads, io::repeat(7).take(LEN), io::sink()));
        });
    }
    let (mut content, mut sealed) = (filled(io::repeat(7).take(LEN)), filled(io::empty()));
    group.bench_function("seal a file", |bencher| {
        bencher.iter(|| {
            content.rewind().unwrap();
            sealed.rewind().unwrap();
            payload.seal_all(&content, &sealed).unwrap()
        });
    });
    group.bench_function("open a file", |bencher| {
        bencher.iter(|| {
            content.rewind().unwrap();
            sealed.rewind().unwrap();
            payload.open_all(&sealed, &content).unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, container);
criterion_main!(benches);
