//! CBC encryption, CMAC and CCM over many messages, and CCM over one: `cargo bench -p shangmi --bench modes_many`.
//!
//! The name says how many messages of how many bytes; one message is what the others are compared with.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run stops")]

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use shangmi::{
    modes::{
        cbc,
        ccm::{Message, Sm4Ccm},
        cmac::CmacKey,
    },
    sm4::{Block, Sm4},
};

const COUNTS: [usize; 6] = [1, 4, 16, 32, 64, 128];
const SIZES: [usize; 3] = [64, 1 << 10, 8 << 10];
const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// Times `run` over messages of each number and length.
fn by_number(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut run: impl FnMut(&mut [Vec<u8>], &mut [Block]),
) {
    for size in SIZES {
        for count in COUNTS {
            let mut messages = vec![vec![0x5a; size]; count];
            let mut blocks = vec![[0; 16]; count];
            group.throughput(Throughput::Bytes((count * size) as u64));
            group.bench_function(format!("{name}/{count}x{size}"), |bencher| {
                bencher.iter(|| run(black_box(&mut messages), black_box(&mut blocks)));
            });
        }
    }
}

fn many(criterion: &mut Criterion) {
    let (sm4, cmac, ccm) = (Sm4::new(&KEY), CmacKey::new(&KEY), Sm4Ccm::new(&KEY));
    let mut group = criterion.benchmark_group(format!("sm4-many/{}", sm4.backend()));
    by_number(&mut group, "cbc-encrypt", |messages, ivs| {
        let mut all: Vec<&mut [u8]> = messages.iter_mut().map(Vec::as_mut_slice).collect();
        cbc::encrypt_many(&sm4, ivs, &mut all).unwrap();
    });
    by_number(&mut group, "cmac", |messages, tags| {
        let all: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        cmac.mac_many(&all, tags).unwrap();
    });
    by_number(&mut group, "ccm-seal", |messages, _| {
        let message = |data| Message {
            nonce: &[1; 12],
            aad: &[2; 13],
            data,
            tag: [0; 16],
        };
        let mut all: Vec<_> = messages.iter_mut().map(|data| message(data)).collect();
        ccm.seal_many(&mut all).unwrap();
    });
    group.finish();
}

fn one(criterion: &mut Criterion) {
    let ccm = Sm4Ccm::new(&KEY);
    let mut group = criterion.benchmark_group("sm4-ccm");
    for size in SIZES {
        let mut data = vec![0x5a; size];
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(format!("seal/{size}"), |bencher| {
            bencher.iter(|| ccm.seal_in_place(&[1; 12], &[2; 13], black_box(&mut data)));
        });
        let sealed = data.clone();
        let tag = ccm.seal_in_place(&[1; 12], &[2; 13], &mut data).unwrap();
        let ciphertext = std::mem::replace(&mut data, sealed);
        group.bench_function(format!("open/{size}"), |bencher| {
            bencher.iter(|| {
                data.copy_from_slice(&ciphertext);
                ccm.open_in_place(&[1; 12], &[2; 13], black_box(&mut data), &tag)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, many, one);
criterion_main!(benches);
