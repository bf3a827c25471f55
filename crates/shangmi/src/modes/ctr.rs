//! CTR
use crate::{Result, sm4::Sm4};
/// streaming; encryption and decryption are the same
pub struct Ctr {}
impl Ctr {
    /// x
    pub fn new(cipher: &Sm4, iv: &[u8; 16]) -> Self { todo!() }
    /// in place, streaming, any length
    pub fn apply_in_place(&mut self, data: &mut [u8]) -> Result<()> { todo!() }
    /// buffer to buffer; lengths equal
    pub fn apply(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> { todo!() }
}
