//! SM4 and its modes by length: `cargo bench -p shangmi --bench sm4`.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run stops")]

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use shangmi::{
    modes::{
        cbc,
        ccm::Sm4Ccm,
        cfb, ctr, ecb,
        gcm::Sm4Gcm,
        gmac::GmacKey,
        ofb,
        xts::{XtsGb, XtsIeee},
    },
    sm4::Sm4,
};

const SIZES: [usize; 5] = [16, 64, 1 << 10, 8 << 10, 64 << 10];
const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";
const IV: [u8; 16] = [7; 16];

/// Times `crypt`, in place, at all lengths; its object is made outside.
fn by_length(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut crypt: impl FnMut(&mut [u8]) -> shangmi::Result<()>,
) {
    let mut data = vec![0x5a; 64 << 10];
    for size in SIZES {
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_function(format!("{name}/{size}"), |bencher| {
            bencher.iter(|| crypt(black_box(&mut data[..size])).unwrap());
        });
    }
}

fn modes(criterion: &mut Criterion) {
    let sm4 = Sm4::new(&KEY);
    let mut group = criterion.benchmark_group(format!("sm4/{}", sm4.backend()));
    by_length(&mut group, "ecb-encrypt", |data| {
        ecb::encrypt_in_place(&sm4, data)
    });
    let mut object = cbc::CbcEncryptor::new(&sm4, &IV);
    by_length(&mut group, "cbc-encrypt", |data| {
        object.encrypt_in_place(data)
    });
    let mut object = cbc::CbcDecryptor::new(&sm4, &IV);
    by_length(&mut group, "cbc-decrypt", |data| {
        object.decrypt_in_place(data)
    });
    let mut object = cfb::CfbEncryptor::new(&sm4, &IV);
    by_length(&mut group, "cfb-encrypt", |data| {
        object.encrypt_in_place(data)
    });
    let mut object = cfb::CfbDecryptor::new(&sm4, &IV);
    by_length(&mut group, "cfb-decrypt", |data| {
        object.decrypt_in_place(data)
    });
    let mut object = ofb::Ofb::new(&sm4, &IV);
    by_length(&mut group, "ofb", |data| object.apply_in_place(data));
    let mut object = ctr::Ctr::new(&sm4, &IV);
    by_length(&mut group, "ctr", |data| object.apply_in_place(data));
    let xts = XtsGb::new(&std::array::from_fn(|i| i as u8)).unwrap();
    by_length(&mut group, "xts-gb", |data| xts.encrypt_in_place(&IV, data));
    let xts = XtsIeee::new(&std::array::from_fn(|i| i as u8)).unwrap();
    by_length(&mut group, "xts-ieee", |data| {
        xts.encrypt_in_place(&IV, data)
    });
    group.finish();
}

/// Counts around the widths of the kernels, and one block after the other.
fn blocks(criterion: &mut Criterion) {
    let sm4 = Sm4::new(&KEY);
    let mut group = criterion.benchmark_group(format!("sm4-blocks/{}", sm4.backend()));
    let mut blocks = vec![[0x5a; 16]; 512];
    for count in [1, 2, 3, 4, 5, 8, 16, 17, 32, 64, 128, 512] {
        group.throughput(Throughput::Bytes(16 * count as u64));
        group.bench_function(count.to_string(), |bencher| {
            bencher.iter(|| sm4.encrypt_blocks(black_box(&mut blocks[..count])));
        });
    }
    group.throughput(Throughput::Bytes(16));
    group.bench_function("one after the other", |bencher| {
        bencher.iter(|| sm4.encrypt_block(black_box(&mut blocks[0])));
    });
    group.finish();
}

fn aead(criterion: &mut Criterion) {
    let (gcm, ccm) = (Sm4Gcm::new(&KEY), Sm4Ccm::new(&KEY));
    let name = format!("sm4-aead/{}+{}", gcm.backend(), gcm.hash_backend());
    let mut group = criterion.benchmark_group(name);
    by_length(&mut group, "gcm-seal", |data| {
        gcm.seal_in_place(&[1; 12], &[2; 13], data).map(drop)
    });
    by_length(&mut group, "gcm-seal-and-open", |data| {
        let tag = gcm.seal_in_place(&[1; 12], &[2; 13], data)?;
        gcm.open_in_place(&[1; 12], &[2; 13], data, &tag)
    });
    let gmac = GmacKey::new(&KEY);
    by_length(&mut group, "gmac", |data| {
        gmac.mac(&[1; 12], data).map(|tag| {
            black_box(tag);
        })
    });
    by_length(&mut group, "ccm-seal", |data| {
        ccm.seal_in_place(&[1; 12], &[2; 13], data).map(drop)
    });
    group.finish();
}

fn keys(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sm4-key");
    group.bench_function("sm4", |bencher| bencher.iter(|| Sm4::new(black_box(&KEY))));
    group.bench_function("gcm", |bencher| {
        bencher.iter(|| Sm4Gcm::new(black_box(&KEY)));
    });
    group.finish();
}

criterion_group!(benches, blocks, modes, aead, keys);
criterion_main!(benches);
