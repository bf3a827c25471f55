//! CFB128: any length
use crate::{Result, sm4::Sm4};
/// streaming
pub struct CfbEncryptor {}
impl CfbEncryptor {
    /// x
    pub fn new(cipher: &Sm4, iv: &[u8; 16]) -> Self { todo!() }
    /// in place, streaming: call any number of times
    pub fn encrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> { todo!() }
    /// buffer to buffer; lengths equal
    pub fn encrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> { todo!() }
}
/// streaming
pub struct CfbDecryptor {}
impl CfbDecryptor {
    /// x
    pub fn new(cipher: &Sm4, iv: &[u8; 16]) -> Self { todo!() }
    /// in place, streaming
    pub fn decrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> { todo!() }
    /// buffer to buffer; lengths equal
    pub fn decrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> { todo!() }
}
