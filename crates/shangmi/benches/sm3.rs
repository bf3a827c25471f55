//! SM3 and HMAC-SM3 by length: `cargo bench -p shangmi --bench sm3`.
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shangmi::sm3;
use shangmi::sm3::hmac::{HmacKey, hmac};

const SIZES: [usize; 7] = [64, 256, 1 << 10, 4 << 10, 16 << 10, 128 << 10, 1 << 20];

fn digest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("sm3/{}", sm3::Sm3::new().backend()));
    let message = vec![0x5a; 1 << 20];
    for size in SIZES {
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| sm3::digest(black_box(&message[..size])));
        });
    }
    group.finish();
}

fn mac(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hmac-sm3");
    let (key, message) = ([0x36; 32], [0x5a; 32]);
    let prepared = HmacKey::new(&key);
    group.bench_function("32 bytes, key prepared", |bencher| {
        bencher.iter(|| prepared.mac(black_box(&message)));
    });
    group.bench_function("32 bytes, new key", |bencher| {
        bencher.iter(|| hmac(black_box(&key), black_box(&message)));
    });
    group.finish();
}

criterion_group!(benches, digest, mac);
criterion_main!(benches);
