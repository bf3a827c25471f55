//! RustCrypto's crate `sm4` under its crates of modes.

use aes_gcm::AesGcm;
use aes_gcm::aead::array::Array;
use aes_gcm::aead::consts::{U12, U16};
use aes_gcm::aead::{AeadInOut, KeyInit};
use ccm::Ccm;
use ctr::cipher::{
    BlockCipherEncrypt as _, BlockModeDecrypt as _, BlockModeEncrypt as _, InnerIvInit as _,
    StreamCipher as _, StreamCipherCoreWrapper,
};
use sm4::Sm4;

use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

pub(super) fn all() -> Vec<Box<dyn Cipher>> {
    let block = |mode| -> Box<dyn Cipher> {
        let key = new(&[0; 16]);
        Box::new(Blocks { mode, key })
    };
    let mut ciphers: Vec<_> = [
        Mode::EcbEncrypt,
        Mode::Ctr,
        Mode::CbcEncrypt,
        Mode::CbcDecrypt,
        Mode::CfbDecrypt,
    ]
    .map(block)
    .into();
    ciphers.push(Box::new(Sealing {
        mode: Mode::GcmSeal,
        key: new::<AesGcm<Sm4, U12>>(&[0; 16]),
    }));
    ciphers.push(Box::new(Sealing {
        mode: Mode::CcmSeal,
        key: new::<Ccm<Sm4, U16, U12>>(&[0; 16]),
    }));
    ciphers
}

fn new<K: KeyInit>(key: &[u8]) -> K {
    K::new_from_slice(key).expect("an SM4 key has 16 bytes")
}

const CODE_PATH: &str = "portable Rust, S-box table";

/// The modes over the bare cipher.
struct Blocks {
    mode: Mode,
    key: Sm4,
}

impl Cipher for Blocks {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        CODE_PATH.to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key = new(key);
    }

    fn crypt(&mut self, iv: &Block, _aad: &[u8], data: &mut [u8]) -> Block {
        let (sm4, iv) = (&self.key, iv.into());
        let (blocks, _) = Array::slice_as_chunks_mut(data);
        match self.mode {
            Mode::Ctr => {
                let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(sm4, iv);
                StreamCipherCoreWrapper::from_core(core).apply_keystream(data);
            }
            Mode::CbcEncrypt => cbc::Encryptor::inner_iv_init(sm4, iv).encrypt_blocks(blocks),
            Mode::CbcDecrypt => cbc::Decryptor::inner_iv_init(sm4, iv).decrypt_blocks(blocks),
            Mode::CfbDecrypt => cfb_mode::Decryptor::inner_iv_init(sm4, iv).decrypt_blocks(blocks),
            _ => sm4.encrypt_blocks(blocks),
        }
        Block::default()
    }
}

/// The modes that authenticate.
struct Sealing<K> {
    mode: Mode,
    key: K,
}

impl<K: AeadInOut<NonceSize = U12, TagSize = U16> + KeyInit> Cipher for Sealing<K> {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        CODE_PATH.to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.key = new(key);
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let nonce = iv.first_chunk::<NONCE_LEN>().expect("12 of 16 bytes");
        let sealed = self
            .key
            .encrypt_inout_detached(nonce.into(), aad, data.into());
        sealed.map_or_else(|_| Block::default(), Into::into)
    }
}
