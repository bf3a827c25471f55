//! HMAC-SM3
use crate::Result;
/// key schedule kept: a short message then costs two compressions. Wiped on drop.
#[derive(Clone)]
pub struct HmacKey {}
impl HmacKey {
    /// x
    pub fn new(key: &[u8]) -> Self { todo!() }
    /// one-shot
    pub fn mac(&self, message: &[u8]) -> [u8; 32] { todo!() }
    /// one-shot verify, constant time, full 32 bytes only
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<()> { todo!() }
    /// streaming
    pub fn start(&self) -> HmacSm3 { todo!() }
}
/// streaming
#[derive(Clone)]
pub struct HmacSm3 {}
impl HmacSm3 {
    /// x
    pub fn new(key: &[u8]) -> Self { todo!() }
    /// x
    pub fn update(&mut self, data: &[u8]) { todo!() }
    /// x
    pub fn finalize(self) -> [u8; 32] { todo!() }
    /// x
    pub fn verify(self, tag: &[u8]) -> Result<()> { todo!() }
}
/// one-shot
pub fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] { todo!() }
