//! Raw scalars: the caller answers for the nonce.
use crate::{Result, sm2::{PrivateKey, Signature, PublicKey, Ciphertext}};
/// sign e with the nonce k
pub fn sign_with_nonce(key: &PrivateKey, e: &[u8; 32], k: &[u8; 32]) -> Result<Signature> { todo!() }
/// encrypt with the nonce k
pub fn encrypt_with_nonce<'a>(key: &PublicKey, plaintext: &[u8], c2: &'a mut [u8], k: &[u8; 32]) -> Result<Ciphertext<'a>> { todo!() }
