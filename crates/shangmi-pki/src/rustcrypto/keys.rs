//! Keys that sign and verify under an ID, and know their encodings.
use ::pkcs8::{
    EncodePrivateKey, PrivateKeyInfoRef,
    der::{AnyRef, Document, SecretDocument},
};
use ::signature::{Keypair, RandomizedSigner, Signer, Verifier, rand_core::TryCryptoRng};
use ::spki::{
    AlgorithmIdentifier, EncodePublicKey, SignatureAlgorithmIdentifier, SubjectPublicKeyInfoRef,
};
use shangmi::sm2::{self, DEFAULT_ID, PrivateKey, PublicKey};

use super::{DerSignature, signature::SM2_WITH_SM3};
use crate::{Error, pkcs8, spki};

/// A private key and the ID that it signs under; for [`x509-cert`](https://docs.rs/x509-cert)'s builders.
///
/// Implements [`Signer`] and [`RandomizedSigner`] for [`DerSignature`], [`Keypair`], [`SignatureAlgorithmIdentifier`],
/// [`EncodePrivateKey`] and [`DecodePrivateKey`](::pkcs8::DecodePrivateKey), which takes the [`DEFAULT_ID`].
///
/// Wiped on drop; `Debug` shows the public key only.
#[derive(Debug)]
pub struct SigningKey {
    key: PrivateKey,
    signer: sm2::Signer,
}

impl SigningKey {
    /// Signs with `key` under `id`.
    ///
    /// - `id`: 1 to 8191 bytes; [`DEFAULT_ID`] in certificates
    ///
    /// # Errors
    /// [`shangmi::Error::EmptyId`] when `id` is empty, [`shangmi::Error::LengthOutOfRange`] when it is too long.
    ///
    /// # Timing
    /// Constant in the private key.
    pub fn new(key: PrivateKey, id: &[u8]) -> shangmi::Result<Self> {
        let signer = sm2::Signer::new(&key, id)?;
        Ok(Self { key, signer })
    }

    /// Signs with `key` under the empty ID, for certificates that `openssl verify` before 4.0 can check without being told an
    /// ID. Others expect the [`DEFAULT_ID`].
    ///
    /// # Errors
    /// None today.
    pub fn with_empty_id(key: PrivateKey) -> shangmi::Result<Self> {
        let signer = sm2::Signer::with_empty_id(&key)?;
        Ok(Self { key, signer })
    }

    /// The private key.
    #[must_use]
    pub const fn private_key(&self) -> &PrivateKey {
        &self.key
    }
}

/// Under the [`DEFAULT_ID`].
impl From<PrivateKey> for SigningKey {
    fn from(key: PrivateKey) -> Self {
        Self::new(key, DEFAULT_ID).expect("the default ID has a good length")
    }
}

impl Signer<DerSignature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> ::signature::Result<DerSignature> {
        self.signer.try_sign(message).map(DerSignature)
    }
}

impl RandomizedSigner<DerSignature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> ::signature::Result<DerSignature> {
        self.signer
            .try_sign_with_rng(rng, message)
            .map(DerSignature)
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.signer.verifier())
    }
}

impl SignatureAlgorithmIdentifier for SigningKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = SM2_WITH_SM3;
}

impl EncodePrivateKey for SigningKey {
    fn to_pkcs8_der(&self) -> ::pkcs8::Result<SecretDocument> {
        Ok(SecretDocument::try_from(&pkcs8::write(&self.key)[..])?)
    }
}

/// Under the [`DEFAULT_ID`].
impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
    type Error = ::pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> ::pkcs8::Result<Self> {
        pkcs8::from_info(&info)
            .map(Self::from)
            .map_err(private_key_error)
    }
}

/// A public key and the ID that its owner signs under.
///
/// Implements [`Verifier`] for [`DerSignature`], [`SignatureAlgorithmIdentifier`], [`EncodePublicKey`] and
/// [`DecodePublicKey`](::spki::DecodePublicKey), which takes the [`DEFAULT_ID`].
#[derive(Clone, Debug)]
pub struct VerifyingKey(sm2::Verifier);

impl VerifyingKey {
    /// Verifies with `key` under `id`.
    ///
    /// - `id`: 1 to 8191 bytes; [`DEFAULT_ID`] in certificates
    ///
    /// # Errors
    /// [`shangmi::Error::EmptyId`] when `id` is empty, [`shangmi::Error::LengthOutOfRange`] when it is too long.
    pub fn new(key: &PublicKey, id: &[u8]) -> shangmi::Result<Self> {
        sm2::Verifier::new(key, id).map(Self)
    }

    /// Verifies with `key` under the empty ID, which OpenSSL before 4.0 takes unless told another.
    ///
    /// # Errors
    /// None today.
    pub fn with_empty_id(key: &PublicKey) -> shangmi::Result<Self> {
        sm2::Verifier::with_empty_id(key).map(Self)
    }

    /// The public key.
    #[must_use]
    pub const fn public_key(&self) -> PublicKey {
        self.0.public_key()
    }
}

/// Under the [`DEFAULT_ID`].
impl From<PublicKey> for VerifyingKey {
    fn from(key: PublicKey) -> Self {
        Self::new(&key, DEFAULT_ID).expect("the default ID has a good length")
    }
}

impl Verifier<DerSignature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &DerSignature) -> ::signature::Result<()> {
        Ok(self.0.verify(message, &signature.0)?)
    }
}

impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = SM2_WITH_SM3;
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> ::spki::Result<Document> {
        Ok(Document::try_from(spki::write(&self.public_key()))?)
    }
}

/// Under the [`DEFAULT_ID`].
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = ::spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> ::spki::Result<Self> {
        spki::from_info(&info)
            .map(Self::from)
            .map_err(public_key_error)
    }
}

/// The nearest that `spki` has.
fn public_key_error(error: Error) -> ::spki::Error {
    match error {
        Error::Der { cause, .. } => cause.into(),
        Error::NoCurve => ::spki::Error::AlgorithmParametersMissing,
        Error::WrongAlgorithm { oid } | Error::WrongCurve { oid } => {
            ::spki::Error::OidUnknown { oid }
        }
        _ => ::spki::Error::KeyMalformed,
    }
}

/// The nearest that `pkcs8` has.
fn private_key_error(error: Error) -> ::pkcs8::Error {
    match public_key_error(error) {
        ::spki::Error::Asn1(source) => source.into(),
        ::spki::Error::KeyMalformed => ::pkcs8::KeyError::Invalid.into(),
        other => other.into(),
    }
}
