//! Our SM4.

use shangmi::Result;
use shangmi::modes::xts::{XtsGb, XtsIeee};
use shangmi::modes::{cbc, ccm::Sm4Ccm, cfb, ctr, ecb, gcm::Sm4Gcm};
use shangmi::sm4::Sm4;

use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

pub(super) fn all() -> Vec<Box<dyn Cipher>> {
    Mode::ALL.map(open).into()
}

fn open(mode: Mode) -> Box<dyn Cipher> {
    match mode {
        Mode::GcmSeal => ours::<Sm4Gcm>(mode),
        Mode::CcmSeal => ours::<Sm4Ccm>(mode),
        Mode::XtsIeeeEncrypt => ours::<XtsIeee>(mode),
        Mode::XtsGbEncrypt => ours::<XtsGb>(mode),
        _ => ours::<Sm4>(mode),
    }
}

fn ours<K: Key + 'static>(mode: Mode) -> Box<dyn Cipher> {
    // XTS wants two halves that differ.
    let key: Vec<u8> = (0..32).collect();
    let key = K::new(&key[..mode.key_len()]);
    Box::new(Ours { mode, key })
}

struct Ours<K> {
    mode: Mode,
    key: K,
}

impl<K: Key> Cipher for Ours<K> {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        self.key.code_path()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key = K::new(key);
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let done = self.key.crypt(self.mode, iv, aad, data);
        done.expect("whole blocks are within every limit")
    }

    fn crypt_many(&mut self, ivs: &[Block], messages: &mut [&mut [u8]]) {
        if self.mode == Mode::CbcEncrypt
            && let Some(done) = self.key.encrypt_cbc_many(ivs, messages)
        {
            return done.expect("whole blocks are within every limit");
        }
        for (iv, message) in ivs.iter().zip(messages) {
            self.crypt(iv, &[], message);
        }
    }

    fn many_code_path(&self) -> String {
        format!("{}, side by side", self.code_path())
    }
}

/// A key as a kind of mode keeps it.
trait Key {
    fn new(key: &[u8]) -> Self;

    /// Where the object does not tell: that of a cipher which is made as the one inside is.
    fn code_path(&self) -> String {
        Sm4::new(&[0; 16]).backend().to_owned()
    }

    fn crypt(&self, mode: Mode, iv: &Block, aad: &[u8], data: &mut [u8]) -> Result<Block>;

    /// CBC encryption of independent messages; a key of another mode has none.
    fn encrypt_cbc_many(&self, _ivs: &[Block], _messages: &mut [&mut [u8]]) -> Option<Result<()>> {
        None
    }
}

fn exactly<const N: usize>(key: &[u8]) -> &[u8; N] {
    key.try_into().expect("a key is as long as its mode says")
}

impl Key for Sm4 {
    fn new(key: &[u8]) -> Self {
        Self::new(exactly(key))
    }

    fn code_path(&self) -> String {
        self.backend().to_owned()
    }

    fn crypt(&self, mode: Mode, iv: &Block, _aad: &[u8], data: &mut [u8]) -> Result<Block> {
        match mode {
            Mode::Ctr => ctr::Ctr::new(self, iv).apply_in_place(data),
            Mode::CbcEncrypt => cbc::CbcEncryptor::new(self, iv).encrypt_in_place(data),
            Mode::CbcDecrypt => cbc::CbcDecryptor::new(self, iv).decrypt_in_place(data),
            Mode::CfbDecrypt => cfb::CfbDecryptor::new(self, iv).decrypt_in_place(data),
            _ => ecb::encrypt_in_place(self, data),
        }?;
        Ok(Block::default())
    }

    fn encrypt_cbc_many(&self, ivs: &[Block], messages: &mut [&mut [u8]]) -> Option<Result<()>> {
        Some(cbc::encrypt_many(self, ivs, messages))
    }
}

impl Key for Sm4Gcm {
    fn new(key: &[u8]) -> Self {
        Self::new(exactly(key))
    }

    fn code_path(&self) -> String {
        format!("{}, GHASH {}", self.backend(), self.hash_backend())
    }

    fn crypt(&self, _mode: Mode, iv: &Block, aad: &[u8], data: &mut [u8]) -> Result<Block> {
        self.seal_in_place(&iv[..NONCE_LEN], aad, data)
    }
}

impl Key for Sm4Ccm {
    fn new(key: &[u8]) -> Self {
        Self::new(exactly(key))
    }

    fn crypt(&self, _mode: Mode, iv: &Block, aad: &[u8], data: &mut [u8]) -> Result<Block> {
        self.seal_in_place(&iv[..NONCE_LEN], aad, data)
    }
}

macro_rules! xts {
    ($kind:ty) => {
        impl Key for $kind {
            fn new(key: &[u8]) -> Self {
                Self::new(exactly(key)).expect("the two halves differ")
            }

            fn crypt(&self, _: Mode, tweak: &Block, _: &[u8], data: &mut [u8]) -> Result<Block> {
                self.encrypt_in_place(tweak, data)?;
                Ok(Block::default())
            }
        }
    };
}
xts!(XtsIeee);
xts!(XtsGb);
