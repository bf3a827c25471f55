//! Public-key encryption.
use super::key::{PrivateKey, PublicKey};
use super::many::Engine;
use super::point::{Affine, Jacobian};
use super::scalar::Scalar;
use crate::error::exact_len;
use crate::rng::Rng;
use crate::sm3::{Digest, Sm3, kdf::Kdf};
use crate::{Error, Result, ct};
use zeroize::{Zeroize, Zeroizing};

/// Nonces tried before giving up: the chance that the key stream of one byte is zero this often in
/// a row is 2^-256.
const MAX_ATTEMPTS: usize = 32;

/// A ciphertext in its three parts. How they are put into bytes is the business of `shangmi-pki`.
///
/// # Standard
/// GB/T 32918.4-2016, 6.1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ciphertext<'a> {
    /// C₁ = k·G.
    pub c1: PublicKey,
    /// C₃ = SM3(x₂ ‖ M ‖ y₂), 32 bytes.
    pub c3: Digest,
    /// C₂ = M ⊕ KDF(x₂ ‖ y₂), as long as the plaintext.
    pub c2: &'a [u8],
}

/// Encrypts to a public key.
///
/// (x₂, y₂) = k·P; C₁ = k·G, C₂ = M ⊕ KDF(x₂ ‖ y₂, |M|), C₃ = SM3(x₂ ‖ M ‖ y₂).
///
/// - `plaintext`: one byte or more
/// - `c2`: receives C₂, exactly as long as `plaintext`
///
/// # Errors
/// [`Error::LengthOutOfRange`] when `plaintext` is empty or longer than the KDF can cover,
/// [`Error::InvalidLength`] when `c2` has another length, [`Error::RandomSource`] when `rng` fails.
///
/// # Timing
/// Constant in the nonce and the plaintext's content; depends on its length.
///
/// # Standard
/// GB/T 32918.4-2016, 6.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2};
///
/// let key = sm2::PrivateKey::generate(&mut OsRng)?;
/// let mut c2 = [0; 6];
/// let ciphertext = sm2::encrypt(key.public_key(), b"secret", &mut c2, &mut OsRng)?;
/// let mut plaintext = [0; 6];
/// sm2::decrypt(&key, &ciphertext, &mut plaintext)?;
/// assert_eq!(&plaintext, b"secret");
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn encrypt<'a>(
    key: &PublicKey,
    plaintext: &[u8],
    c2: &'a mut [u8],
    rng: &mut (impl Rng + ?Sized),
) -> Result<Ciphertext<'a>> {
    check_lengths(plaintext.len(), c2.len())?;
    for _ in 0..MAX_ATTEMPTS {
        let k = Zeroizing::new(Scalar::random(rng)?);
        if let Some((c1, c3)) = encrypt_with(key, plaintext, c2, &k)? {
            return Ok(Ciphertext { c1, c3, c2 });
        }
    }
    Err(Error::RandomSource)
}

/// Decrypts a ciphertext.
///
/// (x₂, y₂) = d·C₁; M = C₂ ⊕ KDF(x₂ ‖ y₂); C₃ must be SM3(x₂ ‖ M ‖ y₂). C₁ was checked to be on the
/// curve when its [`PublicKey`] was made.
///
/// - `out`: receives the plaintext, exactly as long as C₂; all zeros when the call fails
///
/// # Errors
/// [`Error::DecryptFailed`] when C₃ does not match or the key stream is all zero,
/// [`Error::LengthOutOfRange`] when C₂ is empty, [`Error::InvalidLength`] when `out` has another
/// length than C₂.
///
/// # Timing
/// Constant in the private key and the plaintext's content; depends on its length.
///
/// # Standard
/// GB/T 32918.4-2016, 7.1
pub fn decrypt(key: &PrivateKey, ciphertext: &Ciphertext<'_>, out: &mut [u8]) -> Result<()> {
    check_lengths(ciphertext.c2.len(), out.len())?;
    decrypt_with(&key.multiply(&ciphertext.c1), ciphertext, out)
}

/// The same with d·C₁, for buffers of the same length.
pub(super) fn decrypt_with(
    shared: &Affine,
    ciphertext: &Ciphertext<'_>,
    out: &mut [u8],
) -> Result<()> {
    let shared = SharedPoint::new(shared);
    let usable = shared.mask(ciphertext.c2, out);
    let matches = usable.and_then(|usable| {
        #[cfg(feature = "__ct-leaks")]
        ct::leaks::decryption(shared.x[0].into());
        (usable & ct::eq(&shared.check_value(out), &ciphertext.c3))
            .then_some(())
            .ok_or(Error::DecryptFailed)
    });
    if matches.is_err() {
        out.zeroize();
    }
    matches
}

/// (C₁, C₃) with the nonce k in [1, n-1], C₂ in `c2`; `None` when the key stream is all zero.
pub(super) fn encrypt_with(
    key: &PublicKey,
    plaintext: &[u8],
    c2: &mut [u8],
    k: &Scalar,
) -> Result<Option<(PublicKey, Digest)>> {
    let engine = Engine::detect();
    let points = [engine.multiply_base_one(k), engine.multiply_one(k, &key.0)];
    let [c1, shared] = Jacobian::to_affine_array(points)
        .expect("k·G and k·P are not infinity for k in [1, n-1]: both points have order n");
    let shared = SharedPoint::new(&shared);
    let usable = shared.mask(plaintext, c2)?;
    Ok(usable.then(|| (PublicKey(c1), shared.check_value(plaintext))))
}

/// An input of `input` bytes and an output of `output` bytes must be equally long, and not empty.
pub(super) fn check_lengths(input: usize, output: usize) -> Result<()> {
    if input == 0 {
        let what = "SM2 plaintext or C2";
        return Err(Error::LengthOutOfRange {
            what,
            min: 1,
            max: usize::MAX,
            found: 0,
        });
    }
    exact_len("output buffer", input, output)
}

/// (x₂, y₂), which both sides compute; wiped on drop.
struct SharedPoint {
    x: Zeroizing<[u8; 32]>,
    y: Zeroizing<[u8; 32]>,
}

impl SharedPoint {
    fn new(point: &Affine) -> Self {
        Self {
            x: Zeroizing::new(point.x.to_be_bytes()),
            y: Zeroizing::new(point.y.to_be_bytes()),
        }
    }

    /// output = input ⊕ KDF(x₂ ‖ y₂); `false` when the key stream is all zero.
    fn mask(&self, input: &[u8], output: &mut [u8]) -> Result<bool> {
        let mut kdf = Kdf::new(&[&*self.x, &*self.y]);
        kdf.fill(output)?;
        let any = output.iter().fold(0, |any, byte| any | byte);
        for (out, byte) in output.iter_mut().zip(input) {
            *out ^= byte;
        }
        Ok(ct::public(any != 0))
    }

    /// C₃ = SM3(x₂ ‖ M ‖ y₂).
    fn check_value(&self, plaintext: &[u8]) -> Digest {
        let mut hasher = Sm3::new();
        hasher.update(&*self.x);
        hasher.update(plaintext);
        hasher.update(&*self.y);
        hasher.finalize()
    }
}
