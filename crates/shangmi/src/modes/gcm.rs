//! GCM
use crate::Result;
/// key, H
#[derive(Clone)]
pub struct Sm4Gcm {}
impl Sm4Gcm {
    /// x
    pub fn new(key: &[u8; 16]) -> Self { todo!() }
    /// nonce: any length from 1 byte (12 recommended); returns the 16-byte tag
    pub fn seal_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<[u8; 16]> { todo!() }
    /// tag: exactly 16 bytes; data is wiped when it fails
    pub fn open_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> Result<()> { todo!() }
    /// x
    pub fn backend(&self) -> &'static str { todo!() }
}
