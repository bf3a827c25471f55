//! Certificates, requests and revocation lists: the builders of `x509-cert`, and the system's `openssl`.
use std::{str::FromStr, time::Duration};

use der::{Any, Decode, Encode, asn1::BitString, pem::LineEnding, referenced::OwnedToRef};
use shangmi::{rng::OsRng, sm2::PrivateKey};
use shangmi_pki::{
    oid, pem,
    rustcrypto::{DerSignature, SigningKey, VerifyingKey},
};
use signature::{Keypair, Verifier};
use spki::{AlgorithmIdentifierOwned, DecodePublicKey, EncodePublicKey, SubjectPublicKeyInfoOwned};
use x509_cert::{
    Certificate,
    builder::{
        Builder, CertificateBuilder, CrlBuilder, RequestBuilder,
        profile::{
            BuilderProfile,
            cabf::{Root, tls},
        },
    },
    certificate::Rfc5280,
    crl::CertificateList,
    ext::pkix::{CrlNumber, name::GeneralName},
    name::Name,
    request::CertReq,
    time::Validity,
};

use crate::{common::openssl::OpenSsl, rng};

const CERTIFICATE: &str = "CERTIFICATE";
const REQUEST: &str = "CERTIFICATE REQUEST";
const CRL: &str = "X509 CRL";
/// What `openssl` before 4.0 needs to be told about a signature under the default ID.
const DEFAULT: &str = "-vfyopt distid:1234567812345678";

fn private_key() -> PrivateKey {
    PrivateKey::generate(&mut OsRng).unwrap()
}

fn new_key() -> SigningKey {
    SigningKey::from(private_key())
}

fn ca_name() -> Name {
    Name::from_str("CN=SM2 Root,O=Example,C=CN").unwrap()
}

fn builder<P: BuilderProfile>(
    profile: P,
    serial: u32,
    owner: &SigningKey,
) -> CertificateBuilder<P> {
    let info = SubjectPublicKeyInfoOwned::from_key(&owner.verifying_key()).unwrap();
    let validity = Validity::from_now(Duration::from_secs(3600)).unwrap();
    CertificateBuilder::new(profile, serial.into(), validity, info).unwrap()
}

/// A self-signed certificate.
fn root(ca: &SigningKey) -> Certificate {
    let profile = Root::new(false, ca_name()).unwrap();
    builder(profile, 1, ca).build(ca).unwrap()
}

/// A server's certificate, signed by the root's key.
fn leaf(ca: &SigningKey, owner: &SigningKey) -> Certificate {
    let name = GeneralName::DnsName("example.com".to_string().try_into().unwrap());
    let subject = Name::from_str("CN=example.com").unwrap();
    let profile = tls::Subscriber {
        certificate_type: tls::CertificateType::domain_validated(subject, vec![name]).unwrap(),
        issuer: ca_name(),
        client_auth: false,
    };
    builder(profile, 2, owner)
        .build_with_rng(ca, &mut rng())
        .unwrap()
}

fn request(owner: &SigningKey) -> CertReq {
    let subject = Name::from_str("CN=example.com").unwrap();
    let builder = RequestBuilder::new(subject).unwrap();
    builder.build(owner).unwrap()
}

fn revocations(root: &Certificate, ca: &SigningKey) -> CertificateList {
    let number = CrlNumber::try_from(1_u32).unwrap();
    let builder = CrlBuilder::<Rfc5280>::new(root, number).unwrap();
    builder.build(ca).unwrap()
}

/// A structure that is signed: SEQUENCE { content, algorithm, BIT STRING signature }.
#[derive(der::Sequence)]
struct Signed {
    content: Any,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
}

impl Signed {
    /// Whether the algorithm is SM2-with-SM3 without parameters and the signature is valid under `key`.
    fn is_by(&self, key: &VerifyingKey) -> bool {
        assert_eq!(self.algorithm.oid, oid::SM2_WITH_SM3);
        assert_eq!(self.algorithm.parameters, None);
        let signature = DerSignature::try_from(self.signature.raw_bytes()).unwrap();
        let content = self.content.to_der().unwrap();
        key.verify(&content, &signature).is_ok()
    }
}

/// The structure with one bit of its content changed, and with one of its signature changed.
fn changed(der: &[u8]) -> [Vec<u8>; 2] {
    let signed = Signed::from_der(der).unwrap();
    // In the names and in s: the structure stays whole.
    let text = b"xample";
    let name = der.windows(text.len()).position(|part| part == text);
    [name.unwrap(), der.len() - 1].map(|at| {
        let mut other = der.to_vec();
        other[at] ^= 1;
        let now = Signed::from_der(&other).unwrap();
        assert!(now.content != signed.content || now.signature != signed.signature);
        other
    })
}

impl OpenSsl {
    fn write_pem(&self, name: &str, label: &str, der: &[u8]) {
        self.write(name, pem::encode(label, der).unwrap().as_bytes());
    }

    fn succeeds(&self, arguments: &str) -> bool {
        self.try_run(arguments).status.success()
    }

    /// Whether it says so: its exit status is 0 either way.
    fn says(&self, arguments: &str, answer: &str) -> bool {
        let out = self.try_run(arguments);
        [out.stdout, out.stderr]
            .iter()
            .any(|text| String::from_utf8_lossy(text).contains(answer))
    }

    /// Whether the signature of a structure is valid, by the bare operation.
    fn verifies(&self, der: &[u8], key: &SigningKey) -> bool {
        let signed = Signed::from_der(der).unwrap();
        let public = key.verifying_key().to_public_key_pem(LineEnding::LF);
        self.write("pub.pem", public.unwrap());
        self.write("content", signed.content.to_der().unwrap());
        self.write("signature", signed.signature.raw_bytes());
        self.succeeds(
            "dgst -sm3 -verify pub.pem -sigopt distid:1234567812345678 -signature signature content",
        )
    }
}

#[test]
fn certificates_that_openssl_verifies() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let (ca, owner, stranger) = (new_key(), new_key(), new_key());
    let root = root(&ca).to_der().unwrap();
    assert!(openssl.verifies(&root, &ca));
    assert!(!openssl.verifies(&root, &stranger));
    for other in changed(&root) {
        assert!(!openssl.verifies(&other, &ca));
    }
    openssl.write_pem("root.pem", CERTIFICATE, &root);

    let good = leaf(&ca, &owner).to_der().unwrap();
    openssl.write_pem("leaf.pem", CERTIFICATE, &good);
    let verify = format!("verify {DEFAULT} -CAfile root.pem -purpose sslserver leaf.pem");
    openssl.run(&verify);
    assert!(!openssl.succeeds(&verify.replace(DEFAULT, "-vfyopt distid:Alice")));
    let forged = leaf(&stranger, &owner).to_der().unwrap();
    for other in changed(&good).into_iter().chain([forged]) {
        openssl.write_pem("leaf.pem", CERTIFICATE, &other);
        assert!(!openssl.succeeds(&verify));
    }
}

#[test]
fn requests_that_openssl_verifies() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let good = request(&new_key()).to_der().unwrap();
    openssl.write_pem("request.pem", REQUEST, &good);
    let verify = format!("req -verify -noout -in request.pem {DEFAULT}");
    assert!(openssl.says(&verify, "verify OK"));
    for other in changed(&good) {
        openssl.write_pem("request.pem", REQUEST, &other);
        assert!(!openssl.says(&verify, "verify OK"));
        assert!(openssl.says(&verify, "verify failure"));
    }
}

/// Under the empty ID `openssl` also checks what it cannot be told the ID of.
#[test]
fn a_chain_under_the_empty_id_that_openssl_verifies() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let [ca, owner] = [private_key(), private_key()].map(SigningKey::with_empty_id);
    let (ca, owner) = (ca.unwrap(), owner.unwrap());
    let root = root(&ca);
    let leaf = leaf(&ca, &owner).to_der().unwrap();
    let crl = revocations(&root, &ca).to_der().unwrap();
    openssl.write_pem("root.pem", CERTIFICATE, &root.to_der().unwrap());
    openssl.write_pem("leaf.pem", CERTIFICATE, &leaf);
    openssl.write_pem("crl.pem", CRL, &crl);
    let verify = "verify -check_ss_sig -CAfile root.pem leaf.pem";
    openssl.run(verify);
    let list = "crl -noout -CAfile root.pem -in crl.pem";
    assert!(openssl.says(list, "verify OK"));
    let under_default = SigningKey::from(ca.private_key().clone());
    assert!(!openssl.verifies(&crl, &under_default));
    for other in changed(&crl) {
        openssl.write_pem("crl.pem", CRL, &other);
        assert!(!openssl.says(list, "verify OK"));
    }
    for other in changed(&leaf) {
        openssl.write_pem("leaf.pem", CERTIFICATE, &other);
        assert!(!openssl.succeeds(verify));
    }
}

#[test]
fn certificates_and_requests_that_openssl_signs() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    openssl.new_key();
    let public = String::from_utf8(openssl.read("pub.pem")).unwrap();
    let key = VerifyingKey::from_public_key_pem(&public).unwrap();
    let empty = VerifyingKey::with_empty_id(&key.public_key()).unwrap();
    for (id, right, wrong) in [
        ("-sigopt distid:1234567812345678", &key, &empty),
        ("", &empty, &key),
    ] {
        let make = format!("req -new -key key.pem -sm3 {id} -subj /CN=example.com -outform DER");
        openssl.run(&format!("{make} -out request"));
        openssl.run(&format!("{make} -x509 -out certificate"));
        for file in ["request", "certificate"] {
            let der = openssl.read(file);
            let signed = Signed::from_der(&der).unwrap();
            assert!(signed.is_by(right), "{file} {id}");
            assert!(!signed.is_by(wrong), "{file} {id}");
            for other in changed(&der) {
                assert!(
                    !Signed::from_der(&other).unwrap().is_by(right),
                    "{file} {id}"
                );
            }
        }
        let certificate = Certificate::from_der(&openssl.read("certificate")).unwrap();
        let info = certificate.tbs_certificate().subject_public_key_info();
        let read = VerifyingKey::try_from(info.owned_to_ref()).unwrap();
        assert_eq!(read.public_key(), key.public_key());
    }
}

/// Every kind of structure and both ways to build one, with our own check.
#[test]
fn what_the_builders_sign_is_verified() {
    let (ca, owner) = (new_key(), new_key());
    let root = root(&ca);
    for (der, signer) in [
        (root.to_der(), &ca),
        (leaf(&ca, &owner).to_der(), &ca),
        (request(&owner).to_der(), &owner),
        (revocations(&root, &ca).to_der(), &ca),
    ] {
        let der = der.unwrap();
        let key = signer.verifying_key();
        assert!(Signed::from_der(&der).unwrap().is_by(&key));
        assert!(
            !Signed::from_der(&der)
                .unwrap()
                .is_by(&new_key().verifying_key())
        );
        for other in changed(&der) {
            assert!(!Signed::from_der(&other).unwrap().is_by(&key));
        }
    }
    let inside = root.tbs_certificate().signature();
    assert_eq!(inside, root.signature_algorithm());
}
