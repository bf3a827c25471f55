//! A block cipher in a mode.

/// A block of SM4 or AES, an initialisation vector, or the tag of GCM and CCM.
pub(crate) type Block = [u8; 16];

/// A mode of a block cipher, in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mode {
    EcbEncrypt,
    Ctr,
    CbcEncrypt,
    CbcDecrypt,
    CfbDecrypt,
    GcmSeal,
    CcmSeal,
    XtsIeeeEncrypt,
    XtsGbEncrypt,
}

impl Mode {
    pub(crate) const ALL: [Self; 9] = [
        Self::EcbEncrypt,
        Self::Ctr,
        Self::CbcEncrypt,
        Self::CbcDecrypt,
        Self::CfbDecrypt,
        Self::GcmSeal,
        Self::CcmSeal,
        Self::XtsIeeeEncrypt,
        Self::XtsGbEncrypt,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EcbEncrypt => "ECB",
            Self::Ctr => "CTR",
            Self::CbcEncrypt => "CBC encrypt",
            Self::CbcDecrypt => "CBC decrypt",
            Self::CfbDecrypt => "CFB decrypt",
            Self::GcmSeal => "GCM seal",
            Self::CcmSeal => "CCM seal",
            Self::XtsIeeeEncrypt => "XTS (IEEE 1619)",
            Self::XtsGbEncrypt => "XTS (GB/T 17964)",
        }
    }

    pub(crate) fn key_len(self) -> usize {
        match self {
            Self::XtsIeeeEncrypt | Self::XtsGbEncrypt => 32,
            _ => 16,
        }
    }

    pub(crate) fn authenticates(self) -> bool {
        matches!(self, Self::GcmSeal | Self::CcmSeal)
    }

    pub(crate) fn decrypts(self) -> bool {
        matches!(self, Self::CbcDecrypt | Self::CfbDecrypt)
    }
}

/// Bytes of an initialisation vector that GCM and CCM take as their nonce.
pub(crate) const NONCE_LEN: usize = 12;

/// A block cipher in one mode and one direction, one key at a time.
pub(crate) trait Cipher {
    /// `SM4` or `AES-128`.
    fn algorithm(&self) -> &'static str {
        "SM4"
    }

    fn mode(&self) -> Mode;

    /// The code that runs under the key that was prepared last.
    fn code_path(&self) -> String;

    /// Prepares a key of [`Mode::key_len`] bytes.
    fn set_key(&mut self, key: &[u8]);

    /// Encrypts or decrypts a message of whole blocks in place.
    ///
    /// `iv` is the initialisation vector, first counter or tweak; GCM and CCM take its first
    /// [`NONCE_LEN`] bytes as the nonce and authenticate `aad`, which is empty elsewhere. Gives the tag, or zeros. A failure shows in
    /// the result, which is then not the known answer.
    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block;

    /// The same for independent messages, without anything authenticated, in the best way that the implementation has.
    fn crypt_many(&mut self, ivs: &[Block], messages: &mut [&mut [u8]]) {
        for (iv, message) in ivs.iter().zip(messages) {
            self.crypt(iv, &[], message);
        }
    }

    /// The code behind [`crypt_many`](Self::crypt_many).
    fn many_code_path(&self) -> String {
        format!("{}, one after the other", self.code_path())
    }
}
