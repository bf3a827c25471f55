//! Ciphertext looks random: a mode that repeats blocks, skips bytes or leaves plaintext shows here.
use shangmi::{
    modes::{
        cbc::CbcEncryptor, ccm::Sm4Ccm, cfb::CfbEncryptor, ctr::Ctr, gcm::Sm4Gcm, ofb::Ofb,
        xts::XtsGb,
    },
    sm4::Sm4,
};

const LENGTH: usize = 1 << 20;
const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";
const IV: [u8; 16] = [7; 16];

/// Pearson's statistic of the 256 frequencies: the sum of (found - expected)^2 / expected.
fn chi_square(bytes: impl Iterator<Item = u8>) -> f64 {
    let mut counts = [0u32; 256];
    bytes.for_each(|byte| counts[usize::from(byte)] += 1);
    let expected = f64::from(counts.iter().sum::<u32>()) / 256.0;
    let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
    counts.iter().map(square).sum()
}

/// Random bytes give 255 on average with a standard deviation of 22.6; they leave these bounds, four of that away, once in
/// 13 000 times. The input is fixed, so the test always has the same outcome.
#[track_caller]
fn check(name: &str, ciphertext: &[u8]) {
    let all = chi_square(ciphertext.iter().copied());
    assert!(
        (165.0..350.0).contains(&all),
        "{name}: {all} over all bytes"
    );
    // The sum of neighbouring blocks, which shows blocks that are equal or count up.
    let (blocks, _) = ciphertext.as_chunks::<16>();
    let sums = blocks.windows(2).flat_map(|pair| {
        let [a, b] = [pair[0], pair[1]];
        (0..16).map(move |i| a[i] ^ b[i])
    });
    let sums = chi_square(sums);
    assert!(
        (165.0..350.0).contains(&sums),
        "{name}: {sums} over sums of blocks"
    );
}

#[test]
fn ciphertext_of_zeros_looks_random() {
    let sm4 = Sm4::new(&KEY);
    let encrypt = |name: &str, encrypt: &dyn Fn(&mut [u8]) -> shangmi::Result<()>| {
        let mut data = vec![0; LENGTH];
        encrypt(&mut data).unwrap();
        check(name, &data);
    };
    encrypt("CBC", &|data| {
        CbcEncryptor::new(&sm4, &IV).encrypt_in_place(data)
    });
    encrypt("CFB", &|data| {
        CfbEncryptor::new(&sm4, &IV).encrypt_in_place(data)
    });
    encrypt("OFB", &|data| Ofb::new(&sm4, &IV).apply_in_place(data));
    encrypt("CTR", &|data| Ctr::new(&sm4, &IV).apply_in_place(data));
    encrypt("GCM", &|data| {
        Sm4Gcm::new(&KEY)
            .seal_in_place(&IV[..12], b"", data)
            .map(drop)
    });
    encrypt("CCM", &|data| {
        Sm4Ccm::new(&KEY)
            .seal_in_place(&IV[..12], b"", data)
            .map(drop)
    });
    encrypt("XTS", &|data| {
        let key = std::array::from_fn(|i| i as u8);
        XtsGb::new(&key)?.encrypt_in_place(&IV, data)
    });
}

/// The statistic tells what is not random: bytes that count up in every block, and text.
#[test]
fn the_statistic_sees_order() {
    let counting: Vec<u8> = (0..LENGTH).map(|i| (i / 16) as u8).collect();
    assert!(chi_square(counting.iter().copied()) < 1.0);
    assert!(chi_square(counting.windows(17).map(|w| w[0] ^ w[16])) > 1e6);
    assert!(chi_square(b"text".iter().copied().cycle().take(LENGTH)) > 1e6);
}
