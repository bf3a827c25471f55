//! XTS
use crate::Result;
/// x
#[derive(Clone)]
pub struct XtsGb {}
impl XtsGb {
    /// key1 || key2; equal halves are refused
    pub fn new(key: &[u8; 32]) -> Result<Self> { todo!() }
    /// a data unit of 16 bytes or more, ciphertext stealing
    pub fn encrypt_in_place(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<()> { todo!() }
    /// x
    pub fn decrypt_in_place(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<()> { todo!() }
}
/// x
#[derive(Clone)]
pub struct XtsIeee {}
impl XtsIeee {
    /// key1 || key2; equal halves are refused
    pub fn new(key: &[u8; 32]) -> Result<Self> { todo!() }
    /// a data unit of 16 bytes or more, ciphertext stealing
    pub fn encrypt_in_place(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<()> { todo!() }
    /// x
    pub fn decrypt_in_place(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<()> { todo!() }
}
