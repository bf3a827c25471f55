//! PBKDF2-HMAC-SM3
use crate::Result;
/// errors: iterations 0, out too long
pub fn derive(password: &[u8], salt: &[u8], iterations: u32, out: &mut [u8]) -> Result<()> { todo!() }
