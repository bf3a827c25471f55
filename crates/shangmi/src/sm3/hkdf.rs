//! HKDF-SM3
use crate::Result;
/// x
pub fn extract(salt: &[u8], ikm: &[u8]) -> [u8; 32] { todo!() }
/// x
pub fn expand(prk: &[u8], info: &[u8], okm: &mut [u8]) -> Result<()> { todo!() }
/// extract then expand
pub fn derive(salt: &[u8], ikm: &[u8], info: &[u8], okm: &mut [u8]) -> Result<()> { todo!() }
