//! AWS-LC's AES-128: what the international side does on this machine. It has no SM4.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    AES_128, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;

use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

pub(super) fn all() -> Vec<Box<dyn Cipher>> {
    let open = |mode| -> Option<Box<dyn Cipher>> {
        let key = Key::new(mode, &[0; 16]).ok()?;
        Some(Box::new(Aes { mode, key }))
    };
    Mode::ALL.into_iter().filter_map(open).collect()
}

struct Aes {
    mode: Mode,
    key: Key,
}

enum Key {
    Encrypting(EncryptingKey),
    Decrypting(DecryptingKey),
    Gcm(LessSafeKey),
}

impl Key {
    /// An error also for a mode that the library does not have.
    fn new(mode: Mode, key: &[u8]) -> Result<Self, Unspecified> {
        let unbound = || UnboundCipherKey::new(&AES_128, key);
        Ok(match mode {
            Mode::EcbEncrypt => Self::Encrypting(EncryptingKey::ecb(unbound()?)?),
            Mode::Ctr => Self::Encrypting(EncryptingKey::ctr(unbound()?)?),
            Mode::CbcEncrypt => Self::Encrypting(EncryptingKey::cbc(unbound()?)?),
            Mode::CbcDecrypt => Self::Decrypting(DecryptingKey::cbc(unbound()?)?),
            Mode::CfbDecrypt => Self::Decrypting(DecryptingKey::cfb128(unbound()?)?),
            Mode::GcmSeal => Self::Gcm(LessSafeKey::new(UnboundKey::new(&AES_128_GCM, key)?)),
            Mode::CcmSeal | Mode::XtsIeeeEncrypt | Mode::XtsGbEncrypt => return Err(Unspecified),
        })
    }
}

impl Cipher for Aes {
    fn algorithm(&self) -> &'static str {
        "AES-128"
    }

    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        #[cfg(target_arch = "x86_64")]
        let (wide, instructions) = (
            std::arch::is_x86_feature_detected!("vaes"),
            std::arch::is_x86_feature_detected!("aes"),
        );
        #[cfg(target_arch = "aarch64")]
        let (wide, instructions) = (false, std::arch::is_aarch64_feature_detected!("aes"));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let (wide, instructions) = (false, false);
        match (wide, instructions) {
            (true, _) => "AES instructions; the processor has VAES",
            (_, true) => "AES instructions",
            _ => "software",
        }
        .to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key = Key::new(self.mode, key).expect("the mode was there when this was opened");
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let vector = || FixedLength::from(iv);
        match &self.key {
            Key::Encrypting(key) => {
                let context = match self.mode {
                    Mode::EcbEncrypt => EncryptionContext::None,
                    _ => EncryptionContext::Iv128(vector()),
                };
                let done = key.less_safe_encrypt(data, context);
                done.map_or_else(|_| data.fill(0), drop);
            }
            Key::Decrypting(key) => {
                let context = DecryptionContext::Iv128(vector());
                let done = key.decrypt(data, context).is_ok();
                if !done {
                    data.fill(0);
                }
            }
            Key::Gcm(key) => return seal(key, iv, aad, data),
        }
        Block::default()
    }
}

fn seal(key: &LessSafeKey, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
    let nonce = iv.first_chunk::<NONCE_LEN>().expect("12 of 16 bytes");
    let nonce = Nonce::assume_unique_for_key(*nonce);
    let mut tag = Block::default();
    if let Ok(found) = key.seal_in_place_separate_tag(nonce, Aad::from(aad), data) {
        tag.copy_from_slice(found.as_ref());
    }
    tag
}
