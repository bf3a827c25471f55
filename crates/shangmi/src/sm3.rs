//! SM3 and what is built on it.
use crate::Result;
pub mod hkdf;
pub mod hmac;
pub mod kdf;
pub mod pbkdf2;
/// x
pub const BLOCK_LEN: usize = 64;
/// x
pub const DIGEST_LEN: usize = 32;
/// x
pub type Digest = [u8; DIGEST_LEN];
/// x
#[derive(Clone, Debug)]
pub struct Sm3 {}
impl Sm3 {
    /// x
    pub fn new() -> Self { todo!() }
    /// x
    pub fn update(&mut self, data: &[u8]) { todo!() }
    /// x
    pub fn finalize(self) -> Digest { todo!() }
    /// x
    pub fn finalize_reset(&mut self) -> Digest { todo!() }
    /// x
    pub fn reset(&mut self) { todo!() }
    /// name of the code path: "portable"
    pub fn backend(&self) -> &'static str { todo!() }
}
/// x
pub fn digest(message: &[u8]) -> Digest { todo!() }
/// x
pub fn digest_many(messages: &[&[u8]], out: &mut [Digest]) -> Result<()> { todo!() }
