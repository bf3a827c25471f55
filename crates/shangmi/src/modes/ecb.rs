//! ECB
use crate::{Result, sm4::Sm4};
/// whole blocks
pub fn encrypt_in_place(cipher: &Sm4, data: &mut [u8]) -> Result<()> { todo!() }
/// whole blocks
pub fn decrypt_in_place(cipher: &Sm4, data: &mut [u8]) -> Result<()> { todo!() }
/// buffer to buffer; lengths equal
pub fn encrypt(cipher: &Sm4, input: &[u8], output: &mut [u8]) -> Result<()> { todo!() }
/// x
pub fn decrypt(cipher: &Sm4, input: &[u8], output: &mut [u8]) -> Result<()> { todo!() }
