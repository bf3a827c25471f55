//! SM4
use crate::Result;
/// x
pub const BLOCK_LEN: usize = 16;
/// x
pub const KEY_LEN: usize = 16;
/// x
pub type Block = [u8; 16];
/// wiped on drop, Debug hidden
#[derive(Clone)]
pub struct Sm4 {}
impl Sm4 {
    /// x
    pub fn new(key: &[u8; 16]) -> Self { todo!() }
    /// x
    pub fn from_slice(key: &[u8]) -> Result<Self> { todo!() }
    /// x
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) { todo!() }
    /// x
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) { todo!() }
    /// x
    pub fn encrypt_block(&self, block: &mut Block) { todo!() }
    /// x
    pub fn decrypt_block(&self, block: &mut Block) { todo!() }
    /// "bitsliced"
    pub fn backend(&self) -> &'static str { todo!() }
}
