//! CCM
use crate::Result;
/// nonce 7..=13 bytes; tag 16 bytes
#[derive(Clone)]
pub struct Sm4Ccm {}
impl Sm4Ccm {
    /// x
    pub fn new(key: &[u8; 16]) -> Self { todo!() }
    /// x
    pub fn seal_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<[u8; 16]> { todo!() }
    /// x
    pub fn open_in_place(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> Result<()> { todo!() }
}
