//! Key exchange (GB/T 32918.3)
use crate::{Result, rng::Rng, sm2::{PrivateKey, PublicKey}};
/// x
pub struct Initiator<'a> { key: &'a PrivateKey }
impl<'a> Initiator<'a> {
    /// own key and ID; draws the ephemeral key
    pub fn new(key: &'a PrivateKey, id: &[u8], rng: &mut (impl Rng + ?Sized)) -> Result<Self> { todo!() }
    /// R_A, to be sent
    pub fn ephemeral(&self) -> &PublicKey { todo!() }
    /// no confirmation: fills shared
    pub fn finish(self, peer: &PublicKey, peer_id: &[u8], r_b: &PublicKey, shared: &mut [u8]) -> Result<()> { todo!() }
    /// checks S_B, returns S_A
    pub fn finish_confirmed(self, peer: &PublicKey, peer_id: &[u8], r_b: &PublicKey, s_b: &[u8; 32], shared: &mut [u8]) -> Result<[u8; 32]> { todo!() }
}
/// x
pub struct Responder<'a> { key: &'a PrivateKey }
/// holds what S_A must be
pub struct Confirmation {}
impl<'a> Responder<'a> {
    /// own key and ID; draws the ephemeral key
    pub fn new(key: &'a PrivateKey, id: &[u8], rng: &mut (impl Rng + ?Sized)) -> Result<Self> { todo!() }
    /// R_B, to be sent
    pub fn ephemeral(&self) -> &PublicKey { todo!() }
    /// fills shared; returns S_B to send, and the check of S_A
    pub fn finish(self, peer: &PublicKey, peer_id: &[u8], r_a: &PublicKey, shared: &mut [u8]) -> Result<([u8; 32], Confirmation)> { todo!() }
}
impl Confirmation {
    /// constant time
    pub fn check(&self, s_a: &[u8; 32]) -> Result<()> { todo!() }
}
