//! SM2's KDF: SM3(Z || ct) for ct = 1, 2, ...
use crate::Result;
/// streaming: z in pieces
pub struct Kdf {}
impl Kdf {
    /// z = concatenation of parts
    pub fn new(z: &[&[u8]]) -> Self { todo!() }
    /// next bytes of the output into out
    pub fn fill(&mut self, out: &mut [u8]) -> Result<()> { todo!() }
    /// xor the next bytes of the key stream into data
    pub fn apply(&mut self, data: &mut [u8]) -> Result<()> { todo!() }
}
/// one-shot
pub fn kdf(z: &[&[u8]], out: &mut [u8]) -> Result<()> { todo!() }
