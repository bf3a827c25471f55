//! Keys and signatures through the traits of `signature`, `spki` and `pkcs8`.
use der::{
    Decode, Encode,
    asn1::{BitString, ObjectIdentifier, OctetStringRef},
    pem::LineEnding,
};
use pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyInfoRef};
use shangmi::sm2::DEFAULT_ID;
use shangmi_pki::{
    KeyFormat, key,
    rustcrypto::{DerSignature, SigningKey, VerifyingKey},
    sec1, signature as forms,
};
use signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};
use spki::{
    AlgorithmIdentifierOwned, AssociatedAlgorithmIdentifier, DecodePublicKey,
    DynSignatureAlgorithmIdentifier, EncodePublicKey, SignatureBitStringEncoding,
    SubjectPublicKeyInfoOwned,
};

use crate::{common::standard_key, rng};

#[test]
fn algorithm_identifiers_agree() {
    let key = SigningKey::from(standard_key());
    let expected = AlgorithmIdentifierOwned {
        oid: ObjectIdentifier::new("1.2.156.10197.1.501").unwrap(),
        parameters: None,
    };
    let verifying = key.verifying_key();
    assert_eq!(key.signature_algorithm_identifier(), Ok(expected.clone()));
    assert_eq!(
        verifying.signature_algorithm_identifier(),
        Ok(expected.clone())
    );
    assert_eq!(DerSignature::ALGORITHM_IDENTIFIER.oid, expected.oid);
    assert!(DerSignature::ALGORITHM_IDENTIFIER.parameters.is_none());
}

#[test]
fn signatures_are_der() {
    for id in [DEFAULT_ID, b"Alice"] {
        let key = SigningKey::new(standard_key(), id).unwrap();
        let verifying = VerifyingKey::new(standard_key().public_key(), id).unwrap();
        let signature = key.try_sign_with_rng(&mut rng(), b"message").unwrap();
        verifying.verify(b"message", &signature).unwrap();
        verifying.verify(b"massage", &signature).unwrap_err();
        let der = signature.to_vec();
        assert_eq!(forms::read_der(&der).unwrap(), signature.0);
        assert_eq!(DerSignature::try_from(&der[..]).unwrap(), signature);
        let bits = signature.to_bitstring().unwrap();
        assert_eq!((bits.raw_bytes(), bits.unused_bits()), (&der[..], 0));
        for wrong in [&der[1..], &der[..der.len() - 1], &signature.0.to_bytes()] {
            assert!(DerSignature::try_from(wrong).is_err());
        }
        let other = SigningKey::new(standard_key(), b"Bob").unwrap();
        assert!(
            other
                .verifying_key()
                .verify(b"message", &signature)
                .is_err()
        );
    }
    assert!(SigningKey::new(standard_key(), b"").is_err());
    assert!(VerifyingKey::new(standard_key().public_key(), &[7; 8192]).is_err());
}

#[test]
fn keys_go_through_the_traits() {
    let key = SigningKey::from(standard_key());
    let private = key.to_pkcs8_pem(LineEnding::LF).unwrap();
    let file = key::write_private_key(&standard_key(), KeyFormat::Pkcs8Pem).unwrap();
    assert_eq!(private.as_bytes(), &file[..]);
    let read = SigningKey::from_pkcs8_pem(&private).unwrap();
    assert_eq!(read.private_key().to_bytes(), standard_key().to_bytes());
    let signature: DerSignature = read.try_sign(b"message").unwrap();
    key.verifying_key().verify(b"message", &signature).unwrap();

    let public = key.verifying_key().to_public_key_der().unwrap();
    let file = key::write_public_key(standard_key().public_key(), KeyFormat::SpkiDer).unwrap();
    assert_eq!(public.as_bytes(), file);
    let read = VerifyingKey::from_public_key_der(&file).unwrap();
    assert_eq!(read.public_key(), *standard_key().public_key());
    read.verify(b"message", &signature).unwrap();
}

#[test]
fn keys_that_are_not_ours_are_refused() {
    let public = key::write_public_key(standard_key().public_key(), KeyFormat::SpkiDer).unwrap();
    let read = |change: fn(&mut SubjectPublicKeyInfoOwned)| {
        let mut info = SubjectPublicKeyInfoOwned::from_der(&public).unwrap();
        change(&mut info);
        VerifyingKey::from_public_key_der(&info.to_der().unwrap()).map(|key| key.public_key())
    };
    const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
    assert_eq!(read(|_| ()), Ok(*standard_key().public_key()));
    assert_eq!(
        read(|info| info.algorithm.parameters = Some(P256.into())),
        Err(spki::Error::OidUnknown { oid: P256 })
    );
    assert_eq!(
        read(|info| info.algorithm.oid = P256),
        Err(spki::Error::OidUnknown { oid: P256 })
    );
    assert_eq!(
        read(|info| info.algorithm.parameters = None),
        Err(spki::Error::AlgorithmParametersMissing)
    );
    assert_eq!(
        read(|info| info.subject_public_key = BitString::from_bytes(&[4; 65]).unwrap()),
        Err(spki::Error::KeyMalformed)
    );
    let cut = VerifyingKey::from_public_key_der(&public[..50]);
    assert!(matches!(cut, Err(spki::Error::Asn1(_))));
}

#[test]
fn private_keys_that_are_not_ours_are_refused() {
    let der = SigningKey::from(standard_key()).to_pkcs8_der().unwrap();
    let info = PrivateKeyInfoRef::from_der(der.as_bytes()).unwrap();
    let error = |info| SigningKey::try_from(info).err();
    assert_eq!(error(info.clone()), None);
    let mut other = info.clone();
    other.algorithm.parameters = None;
    assert_eq!(
        error(other),
        Some(pkcs8::Error::PublicKey(
            spki::Error::AlgorithmParametersMissing
        ))
    );
    let mut other = info.clone();
    let (mut damaged, whole) = (info.private_key.as_bytes().to_vec(), info.private_key);
    *damaged.last_mut().unwrap() ^= 1;
    other.private_key = OctetStringRef::new(&damaged).unwrap();
    assert_eq!(
        error(other.clone()),
        Some(pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid))
    );
    let cut = &whole.as_bytes()[..20];
    other.private_key = OctetStringRef::new(cut).unwrap();
    assert!(matches!(error(other), Some(pkcs8::Error::Asn1(_))));
    assert!(SigningKey::from_pkcs8_der(&sec1::write(&standard_key())).is_err());
}

#[test]
fn debug_does_not_show_the_private_key() {
    let shown = format!("{:?}", SigningKey::from(standard_key()));
    assert!(shown.contains("PublicKey(04"), "{shown}");
    assert!(!shown.to_lowercase().contains("3945208f"), "{shown}");
}

#[test]
fn public_types_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<SigningKey>();
    check::<VerifyingKey>();
    check::<DerSignature>();
}
