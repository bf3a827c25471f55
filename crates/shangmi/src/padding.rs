//! Padding
use crate::Result;
/// x
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// x
    Pkcs7,
    /// x
    AnsiX923,
    /// x
    Iso7816,
    /// zero bytes up to the block boundary; none when aligned
    Zero,
    /// x
    None,
}
impl Padding {
    /// the final block(s): given the tail (len < 16) returns padded block and whether there is one
    pub fn pad(self, tail: &[u8]) -> Result<Option<[u8; 16]>> { todo!() }
    /// number of message bytes in the last block
    pub fn unpad(self, last: &[u8; 16]) -> Result<usize> { todo!() }
}
