//! SM4 as a block cipher: the standard's examples and the parallel path against the single one.
use shangmi::{
    Error,
    sm4::{Block, Sm4},
};

const KEY: u128 = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;

fn painted(blocks: usize) -> Vec<Block> {
    (0..blocks)
        .map(|n| core::array::from_fn(|i| ((16 * n + i) % 251) as u8))
        .collect()
}

/// GB/T 32907-2016, appendix A.1.
#[test]
fn standard_one_encryption() {
    let sm4 = Sm4::new(&KEY.to_be_bytes());
    let mut block = KEY.to_be_bytes();
    sm4.encrypt_block(&mut block);
    assert_eq!(
        block,
        0x681e_df34_d206_965e_86b3_e94f_536e_4246_u128.to_be_bytes()
    );
    sm4.decrypt_block(&mut block);
    assert_eq!(block, KEY.to_be_bytes());
}

/// GB/T 32907-2016, appendix A.2.
#[test]
fn standard_million_encryptions() {
    let sm4 = Sm4::new(&KEY.to_be_bytes());
    let mut block = KEY.to_be_bytes();
    for _ in 0..1_000_000 {
        sm4.encrypt_block(&mut block);
    }
    assert_eq!(
        block,
        0x5952_98c7_c6fd_271f_0402_f804_c33d_3f66_u128.to_be_bytes()
    );
}

#[test]
fn many_blocks_are_single_blocks_side_by_side() {
    let sm4 = Sm4::new(&KEY.to_be_bytes());
    for count in (0..=70).chain([95, 96, 97, 127, 128, 129, 255, 256, 257]) {
        let plain = painted(count);
        let mut single = plain.clone();
        single.iter_mut().for_each(|block| sm4.encrypt_block(block));
        let mut many = plain.clone();
        sm4.encrypt_blocks(&mut many);
        assert_eq!(many, single, "{count} blocks");
        sm4.decrypt_blocks(&mut many);
        assert_eq!(many, plain, "{count} blocks back");
        single.iter_mut().for_each(|block| sm4.decrypt_block(block));
        assert_eq!(single, plain, "{count} single blocks back");
    }
}

#[test]
fn key_must_have_16_bytes() {
    for found in [0, 8, 15, 17, 32] {
        let error = Sm4::from_slice(&vec![7; found]).unwrap_err();
        assert_eq!(
            error,
            Error::InvalidLength {
                what: "SM4 key",
                expected: 16,
                found
            }
        );
    }
    assert!(Sm4::from_slice(&[7; 16]).is_ok());
}

#[test]
fn debug_hides_the_key() {
    let sm4 = Sm4::new(&[0x5a; 16]);
    let text = format!("{sm4:?}");
    let start = format!("Sm4 {{ backend: {:?}", sm4.backend());
    assert!(text.starts_with(&start), "{text}");
    assert!(!text.contains("5a") && !text.contains("90"), "{text}");
}
