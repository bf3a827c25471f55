//! SM4 against the standards' examples and against `reference`; AES-128 against the standards' examples.

use reference::sm4::modes::{
    cbc_decrypt, cbc_encrypt, ccm, cfb128_decrypt, ctr_crypt, ecb_encrypt,
};
use reference::sm4::modes::{gcm, xts};
use reference::sm4::{Sm4, Stage};

use super::{expect, unhex};
use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

/// An example, in hexadecimal digits.
struct Example {
    key: &'static str,
    /// Of GCM and CCM: the nonce.
    iv: &'static str,
    aad: &'static str,
    input: &'static str,
    /// With the tag, where there is one.
    output: &'static str,
}

const COUNT: &str = "000102030405060708090a0b0c0d0e0f";
/// The block is encrypted under itself.
const SM4_KEY: &str = "0123456789abcdeffedcba9876543210";

/// GB/T 32907-2016, A.1; RFC 8998, A.1 and A.2.
fn sm4(mode: Mode) -> Option<Example> {
    let block = Example {
        key: SM4_KEY,
        iv: COUNT,
        aad: "",
        input: SM4_KEY,
        output: "681edf34d206965e86b3e94f536e4246",
    };
    let sealed = Example {
        key: SM4_KEY,
        iv: "00001234567800000000abcd",
        aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        input: "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd\
            eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa",
        output: "",
    };
    match mode {
        Mode::EcbEncrypt => Some(block),
        Mode::GcmSeal => Some(Example {
            output: "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
                d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d\
                83de3541e4c2b58177e065a9bf7b62ec",
            ..sealed
        }),
        Mode::CcmSeal => Some(Example {
            output: "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094\
                fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b\
                16842d4fa186f56ab33256971fa110f4",
            ..sealed
        }),
        _ => None,
    }
}

/// SP 800-38A, F.1.1, F.2.1, F.2.2, F.3.14 and F.5.1, two blocks of each; IEEE 1619, vector 2; test case 3 of
/// the specification of GCM.
fn aes(mode: Mode) -> Option<Example> {
    let text = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51";
    let cbc = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2";
    let nist = |iv, input, output| Example {
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv,
        aad: "",
        input,
        output,
    };
    Some(match mode {
        Mode::EcbEncrypt => {
            let out = "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf";
            nist(COUNT, text, out)
        }
        Mode::CbcEncrypt => nist(COUNT, text, cbc),
        Mode::CbcDecrypt => nist(COUNT, cbc, text),
        Mode::CfbDecrypt => {
            let cfb = "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b";
            nist(COUNT, cfb, text)
        }
        Mode::Ctr => {
            let out = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff";
            nist("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", text, out)
        }
        Mode::XtsIeeeEncrypt => Example {
            key: "1111111111111111111111111111111122222222222222222222222222222222",
            iv: "33333333330000000000000000000000",
            aad: "",
            input: "4444444444444444444444444444444444444444444444444444444444444444",
            output: "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
        },
        Mode::GcmSeal => Example {
            key: "feffe9928665731c6d6a8f9467308308",
            iv: "cafebabefacedbaddecaf888",
            aad: "",
            input: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            output: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
                21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985\
                4d5c2af327cd64a62cf35abd2ba6fab4",
        },
        Mode::CcmSeal | Mode::XtsGbEncrypt => return None,
    })
}

pub(super) fn check(cipher: &mut dyn Cipher) -> Result<(), String> {
    let (algorithm, mode) = (cipher.algorithm(), cipher.mode());
    let example = match algorithm {
        "SM4" => sm4(mode),
        _ => aes(mode),
    };
    let checked_further = algorithm == "SM4";
    if example.is_none() && !checked_further {
        return Err(format!("{algorithm}, {}: no known answer", mode.name()));
    }
    if let Some(example) = example {
        let iv = unhex(example.iv);
        let mut whole = Block::default();
        whole[..iv.len()].copy_from_slice(&iv);
        cipher.set_key(&unhex(example.key));
        let found = crypt(cipher, &whole, &unhex(example.aad), &unhex(example.input));
        expect(mode.name(), &found, &unhex(example.output))?;
    }
    if checked_further {
        against_reference(cipher)?;
    }
    if mode == Mode::CbcEncrypt {
        many_as_alone(cipher)?;
    }
    Ok(())
}

/// The output, with the tag of a mode that has one.
fn crypt(cipher: &mut dyn Cipher, iv: &Block, aad: &[u8], input: &[u8]) -> Vec<u8> {
    let mut data = input.to_vec();
    let tag = cipher.crypt(iv, aad, &mut data);
    if cipher.mode().authenticates() {
        data.extend(tag);
    }
    data
}

/// Around the numbers of blocks that are computed side by side; keys change on the way.
fn against_reference(cipher: &mut dyn Cipher) -> Result<(), String> {
    let mode = cipher.mode();
    for blocks in [
        2, 3, 4, 5, 8, 15, 16, 17, 31, 33, 63, 64, 65, 95, 97, 130, 513,
    ] {
        let bytes = |step: usize, length: usize| -> Vec<u8> {
            (0..length).map(|i| (i * step + blocks) as u8).collect()
        };
        let (key, input) = (bytes(7, 32), bytes(3, 16 * blocks));
        let iv = [0xff; 16].map(|byte: u8| byte.wrapping_sub(blocks as u8));
        let aad = &input[..if mode.authenticates() { blocks } else { 0 }];
        cipher.set_key(&key[..mode.key_len()]);
        // Twice under a key, so that nothing of a message stays for the next one.
        for _ in 0..2 {
            let found = crypt(cipher, &iv, aad, &input);
            expect(mode.name(), &found, &expected(mode, &key, &iv, aad, &input))?;
        }
    }
    Ok(())
}

/// Messages of different lengths, more than are computed side by side.
fn many_as_alone(cipher: &mut dyn Cipher) -> Result<(), String> {
    let ivs: Vec<Block> = (0..100).map(|i| [i; 16]).collect();
    let mut together: Vec<Vec<u8>> = (0..100)
        .map(|i| vec![i; 16 * usize::from(i % 23)])
        .collect();
    let alone: Vec<Vec<u8>> = ivs
        .iter()
        .zip(&together)
        .map(|(iv, m)| crypt(cipher, iv, &[], m))
        .collect();
    let mut messages: Vec<&mut [u8]> = together.iter_mut().map(Vec::as_mut_slice).collect();
    cipher.crypt_many(&ivs, &mut messages);
    expect("many messages", &together.concat(), &alone.concat())
}

fn expected(mode: Mode, key: &[u8], iv: &Block, aad: &[u8], input: &[u8]) -> Vec<u8> {
    let (halves, _) = key.as_chunks::<16>();
    let [sm4, second] = [0, 1].map(|half: usize| Sm4::new(&halves[half], Stage::TTable));
    let xts = |standard| {
        let keys = xts::Keys {
            data: &sm4,
            tweak: &second,
        };
        xts::encrypt(standard, keys, iv, input)
    };
    let nonce = &iv[..NONCE_LEN];
    let output = match mode {
        Mode::EcbEncrypt => ecb_encrypt(&sm4, input),
        Mode::Ctr => Some(ctr_crypt(&sm4, iv, input)),
        Mode::CbcEncrypt => cbc_encrypt(&sm4, iv, input),
        Mode::CbcDecrypt => cbc_decrypt(&sm4, iv, input),
        Mode::CfbDecrypt => Some(cfb128_decrypt(&sm4, iv, input)),
        Mode::GcmSeal => gcm::encrypt(&sm4, nonce, aad, input)
            .map(|(sealed, tag)| [sealed, tag.to_vec()].concat()),
        Mode::CcmSeal => {
            ccm::encrypt(&sm4, nonce, aad, input, 16).map(|(sealed, tag)| [sealed, tag].concat())
        }
        Mode::XtsIeeeEncrypt => xts(xts::Standard::Ieee),
        Mode::XtsGbEncrypt => xts(xts::Standard::Gb),
    };
    output.expect("whole blocks are within every limit")
}
