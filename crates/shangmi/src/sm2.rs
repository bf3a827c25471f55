//! SM2
use crate::{Result, rng::Rng, sm3::Sm3};
use zeroize::Zeroizing;
pub mod exchange;
pub mod hazmat;
/// `1234567812345678`
pub const DEFAULT_ID: &[u8] = b"1234567812345678";
/// d in [1, n-2]; wiped on drop; Debug hidden; not Copy; holds its public key
#[derive(Clone)]
pub struct PrivateKey {}
impl PrivateKey {
    /// x
    pub fn generate(rng: &mut (impl Rng + ?Sized)) -> Result<Self> { todo!() }
    /// big-endian
    pub fn from_bytes(d: &[u8; 32]) -> Result<Self> { todo!() }
    /// exactly 32 bytes
    pub fn from_slice(d: &[u8]) -> Result<Self> { todo!() }
    /// x
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> { todo!() }
    /// x
    pub fn public_key(&self) -> &PublicKey { todo!() }
    /// x coordinate of d * peer, big-endian
    pub fn diffie_hellman(&self, peer: &PublicKey) -> Zeroizing<[u8; 32]> { todo!() }
}
/// on the curve, not infinity
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey {}
/// x
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointForm {
    /// 04 || x || y
    Uncompressed,
    /// 02 or 03 || x
    Compressed,
}
impl PublicKey {
    /// 65 bytes (04 x y) or 33 bytes (02/03 x)
    pub fn from_sec1(bytes: &[u8]) -> Result<Self> { todo!() }
    /// big-endian coordinates
    pub fn from_coordinates(x: &[u8; 32], y: &[u8; 32]) -> Result<Self> { todo!() }
    /// 04 || x || y
    pub fn to_uncompressed(&self) -> [u8; 65] { todo!() }
    /// 02/03 || x
    pub fn to_compressed(&self) -> [u8; 33] { todo!() }
    /// x
    pub fn x(&self) -> [u8; 32] { todo!() }
    /// y
    pub fn y(&self) -> [u8; 32] { todo!() }
}
/// r and s in [1, n-1], big-endian
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {}
impl Signature {
    /// x
    pub fn from_scalars(r: &[u8; 32], s: &[u8; 32]) -> Result<Self> { todo!() }
    /// r || s, exactly 64 bytes
    pub fn from_slice(bytes: &[u8]) -> Result<Self> { todo!() }
    /// r || s
    pub fn to_bytes(&self) -> [u8; 64] { todo!() }
    /// x
    pub fn r(&self) -> &[u8; 32] { todo!() }
    /// x
    pub fn s(&self) -> &[u8; 32] { todo!() }
}
/// Z_A = SM3(ENTL || ID || a || b || Gx || Gy || x || y); id at most 8191 bytes; empty allowed here
pub fn za(id: &[u8], key: &PublicKey) -> Result<[u8; 32]> { todo!() }
/// caches Z_A and (1+d)^-1
pub struct Signer {}
impl Signer {
    /// id must not be empty
    pub fn new(key: &PrivateKey, id: &[u8]) -> Result<Self> { todo!() }
    /// the empty ID, as OpenSSL before 4.0 uses by default
    pub fn with_empty_id(key: &PrivateKey) -> Result<Self> { todo!() }
    /// SM3 that has absorbed Z_A: feed it the message, then `sign_digest`
    pub fn hasher(&self) -> Sm3 { todo!() }
    /// x
    pub fn sign(&self, message: &[u8], rng: &mut (impl Rng + ?Sized)) -> Result<Signature> { todo!() }
    /// e = SM3(Z_A || M)
    pub fn sign_digest(&self, e: &[u8; 32], rng: &mut (impl Rng + ?Sized)) -> Result<Signature> { todo!() }
}
/// caches Z_A
#[derive(Clone)]
pub struct Verifier {}
impl Verifier {
    /// id must not be empty
    pub fn new(key: &PublicKey, id: &[u8]) -> Result<Self> { todo!() }
    /// x
    pub fn with_empty_id(key: &PublicKey) -> Result<Self> { todo!() }
    /// x
    pub fn hasher(&self) -> Sm3 { todo!() }
    /// x
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<()> { todo!() }
    /// x
    pub fn verify_digest(&self, e: &[u8; 32], signature: &Signature) -> Result<()> { todo!() }
}
/// C1 (a point), C3 (32 bytes), C2 (as long as the plaintext)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ciphertext<'a> {
    /// x
    pub c1: PublicKey,
    /// x
    pub c3: [u8; 32],
    /// x
    pub c2: &'a [u8],
}
/// plaintext not empty; c2.len() == plaintext.len()
pub fn encrypt<'a>(key: &PublicKey, plaintext: &[u8], c2: &'a mut [u8], rng: &mut (impl Rng + ?Sized)) -> Result<Ciphertext<'a>> { todo!() }
/// out.len() == c2.len(); out is wiped when it fails
pub fn decrypt(key: &PrivateKey, ciphertext: &Ciphertext<'_>, out: &mut [u8]) -> Result<()> { todo!() }
