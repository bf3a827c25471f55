//! Over SM3, SM4 and their modes they give what our own methods give.

use ::cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use aead::{AeadInOut, KeyInit, consts::U12, consts::U16, inout::InOutBuf};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, StreamCipher, block_padding::NoPadding,
};
use digest::{Digest, FixedOutputReset, Mac};
use shangmi::{
    modes::{
        cbc::{CbcDecryptor, CbcEncryptor},
        ccm::Sm4Ccm,
        cmac::{self, CmacKey},
        ctr::{Ctr, Ctr32},
        gcm::Sm4Gcm,
    },
    sm3::{
        self, Sm3,
        hmac::{HmacSm3, hmac},
    },
    sm4::{Block, Sm4},
};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";
/// So close to the end that longer messages wrap.
const IV: Block = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfa,
];

/// Bytes with period 251.
fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

/// Around one block, and around the 64 that go side by side.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=80).chain([1008, 1023, 1024, 1025, 1040, 2048, 3000, 5001])
}

#[test]
fn digest_is_sm3() {
    let mut hash = Sm3::new();
    for length in lengths() {
        let message = painted(length);
        let expected = sm3::digest(&message);
        assert_eq!(<Sm3 as Digest>::digest(&message)[..], expected);
        Digest::update(&mut hash, &message);
        assert_eq!(hash.finalize_fixed_reset()[..], expected, "{length} bytes");
    }
    assert_eq!(<Sm3 as Digest>::output_size(), 32);
}

#[test]
fn hmac_over_sm3_is_hmac_sm3() {
    for length in lengths() {
        let message = painted(length);
        for key in [0, 32, 64, 65, 200].map(painted) {
            let expected = hmac(&key, &message);
            let theirs = ::hmac::Hmac::<Sm3>::new_from_slice(&key).unwrap();
            let tag = theirs.chain_update(&message).finalize().into_bytes();
            assert_eq!(tag[..], expected, "{length} bytes over blocks");
            let theirs = ::hmac::SimpleHmac::<Sm3>::new_from_slice(&key).unwrap();
            let tag = theirs.chain_update(&message).finalize().into_bytes();
            assert_eq!(tag[..], expected, "{length} bytes, simple");
            let ours = <HmacSm3 as KeyInit>::new_from_slice(&key).unwrap();
            Mac::verify_slice(ours.chain_update(&message), &expected).unwrap();
        }
    }
}

#[test]
fn cmac_over_sm4_is_sm4_cmac() {
    let key = CmacKey::new(&KEY);
    for length in lengths() {
        let message = painted(length);
        let expected = key.mac(&message);
        let theirs = ::cmac::Cmac::<Sm4>::new(&KEY.into());
        let tag = theirs.chain_update(&message).finalize().into_bytes();
        assert_eq!(tag[..], expected, "{length} bytes");
        let ours = <cmac::Cmac as KeyInit>::new(&KEY.into()).chain_update(&message);
        assert_eq!(Mac::finalize(ours).into_bytes()[..], expected);
    }
}

#[test]
fn ctr_over_sm4_is_ours() {
    let sm4 = Sm4::new(&KEY);
    for length in lengths() {
        let (mut ours, mut theirs) = (painted(length), painted(length));
        Ctr::new(&sm4, &IV).apply_in_place(&mut ours).unwrap();
        let mut stream = ::ctr::Ctr128BE::<Sm4>::new(&KEY.into(), &IV.into());
        stream.apply_keystream(&mut theirs);
        assert_eq!(theirs, ours, "{length} bytes");
        let (mut ours, mut theirs) = (painted(length), painted(length));
        Ctr32::new(&sm4, &IV).apply_in_place(&mut ours).unwrap();
        let mut stream = ::ctr::Ctr32BE::<Sm4>::new(&KEY.into(), &IV.into());
        stream.apply_keystream(&mut theirs);
        assert_eq!(theirs, ours, "{length} bytes, 32-bit counter");
    }
}

#[test]
fn cbc_over_sm4_is_ours() {
    let sm4 = Sm4::new(&KEY);
    for length in lengths().filter(|length| length % 16 == 0) {
        let mut sealed = painted(length);
        let mut object = CbcEncryptor::new(&sm4, &IV);
        object.encrypt_in_place(&mut sealed).unwrap();
        let mut data = painted(length);
        let encryptor = ::cbc::Encryptor::<Sm4>::new(&KEY.into(), &IV.into());
        encryptor
            .encrypt_padded::<NoPadding>(&mut data, length)
            .unwrap();
        assert_eq!(data, sealed, "{length} bytes");
        let decryptor = ::cbc::Decryptor::<Sm4>::new(&KEY.into(), &IV.into());
        decryptor.decrypt_padded::<NoPadding>(&mut data).unwrap();
        assert_eq!(data, painted(length), "{length} bytes back");
        let mut object = CbcDecryptor::new(&sm4, &IV);
        object.decrypt_in_place(&mut sealed).unwrap();
        assert_eq!(sealed, data);
    }
}

/// From buffer to buffer the input stays as it was.
#[test]
fn blocks_go_between_buffers() {
    let sm4 = Sm4::new(&KEY);
    for count in [0, 1, 2, 63, 64, 65, 128, 130] {
        let input: Vec<Array<u8, U16>> = (0..count).map(|i| Array([i as u8; 16])).collect();
        let (kept, mut output) = (input.clone(), vec![Array([0; 16]); count]);
        let mut expected = input.clone();
        sm4.encrypt_blocks(Array::cast_slice_to_core_mut(&mut expected));
        BlockCipherEncrypt::encrypt_blocks_b2b(&sm4, &input, &mut output).unwrap();
        assert_eq!((&input, &output), (&kept, &expected), "{count} blocks");
        let mut back = vec![Array([0; 16]); count];
        BlockCipherDecrypt::decrypt_blocks_b2b(&sm4, &output, &mut back).unwrap();
        assert_eq!((back, output), (kept, expected), "{count} blocks back");
    }
}

/// Seals as `expected` says, opens that, refuses it changed; in place and from buffer to buffer.
fn check_aead<A: AeadInOut<NonceSize = U12, TagSize = U16>>(
    aead: &A,
    plain: &[u8],
    (expected, tag): (&[u8], [u8; 16]),
) {
    let nonce = [7; 12].into();
    let mut output = vec![0; plain.len()];
    let buffer = InOutBuf::new(plain, &mut output).unwrap();
    let got = aead.encrypt_inout_detached(&nonce, b"aad", buffer).unwrap();
    assert_eq!((&output[..], got.0), (expected, tag));
    let mut message = plain.to_vec();
    aead.encrypt_in_place(&nonce, b"aad", &mut message).unwrap();
    assert_eq!(message, [expected, &tag].concat());
    let mut changed = message.clone();
    changed[plain.len() / 2] ^= 1;
    aead.decrypt_in_place(&nonce, b"aad", &mut changed)
        .unwrap_err();
    aead.decrypt_in_place(&nonce, b"aad", &mut message).unwrap();
    assert_eq!(message, plain);
}

#[test]
fn aead_is_gcm_and_ccm() {
    for length in lengths() {
        let plain = painted(length);
        let (mut by_gcm, mut by_ccm) = (plain.clone(), plain.clone());
        let gcm = Sm4Gcm::new(&KEY);
        let tag = gcm.seal_in_place(&[7; 12], b"aad", &mut by_gcm).unwrap();
        check_aead(
            &<Sm4Gcm as KeyInit>::new(&KEY.into()),
            &plain,
            (&by_gcm, tag),
        );
        let ccm = Sm4Ccm::new(&KEY);
        let tag = ccm.seal_in_place(&[7; 12], b"aad", &mut by_ccm).unwrap();
        check_aead(
            &<Sm4Ccm as KeyInit>::new(&KEY.into()),
            &plain,
            (&by_ccm, tag),
        );
        let theirs = ::ccm::Ccm::<Sm4, U16, U12>::new(&KEY.into());
        check_aead(&theirs, &plain, (&by_ccm, tag));
    }
}

#[test]
fn keys_of_wrong_length_are_refused() {
    for length in [0, 15, 17, 32] {
        let key = painted(length);
        assert!(<Sm4 as KeyInit>::new_from_slice(&key).is_err());
        assert!(<Sm4Gcm as KeyInit>::new_from_slice(&key).is_err());
        assert!(<Sm4Ccm as KeyInit>::new_from_slice(&key).is_err());
        assert!(<cmac::Cmac as KeyInit>::new_from_slice(&key).is_err());
    }
}
