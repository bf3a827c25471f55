//! SM4 modes against values of other programs: public bug reports, and OpenSSL's GCM.
use crate::common::{array, hex, painted, unhex};
use serde::Deserialize;
use shangmi::{
    Error,
    modes::{cbc, ccm::Sm4Ccm, ecb, gcm::Sm4Gcm, xts},
    padding::Padding,
    sm4::Sm4,
};

#[derive(Deserialize)]
struct Reports {
    cases: Vec<Report>,
}

#[derive(Deserialize)]
struct Report {
    source: String,
    mode: String,
    key: String,
    iv: Option<String>,
    padding: Option<String>,
    aad: Option<String>,
    plaintext: String,
    ciphertext: String,
    tag: Option<String>,
}

impl Report {
    fn padding(&self) -> Padding {
        match self.padding.as_deref() {
            Some("pkcs7") => Padding::Pkcs7,
            Some("none") => Padding::None,
            other => panic!("{}: padding {other:?}", self.source),
        }
    }

    fn iv<const N: usize>(&self) -> [u8; N] {
        array(self.iv.as_deref().expect("an IV"))
    }

    /// Encrypts; decrypts and checks that the plaintext comes back.
    fn run(&self) -> (Vec<u8>, Option<[u8; 16]>) {
        let plain = unhex(&self.plaintext);
        let sm4 = || Sm4::new(&array(&self.key));
        let mut data = plain.clone();
        match self.mode.as_str() {
            "ecb" => {
                let sealed = ecb::encrypt_padded(&sm4(), self.padding(), &plain).unwrap();
                let back = ecb::decrypt_padded(&sm4(), self.padding(), &sealed).unwrap();
                assert_eq!(back, plain);
                return (sealed, None);
            }
            "cbc" => {
                let sealed =
                    cbc::encrypt_padded(&sm4(), &self.iv(), self.padding(), &plain).unwrap();
                let back =
                    cbc::decrypt_padded(&sm4(), &self.iv(), self.padding(), &sealed).unwrap();
                assert_eq!(back, plain);
                return (sealed, None);
            }
            "gcm" => {
                let (gcm, aad) = (
                    Sm4Gcm::new(&array(&self.key)),
                    unhex(self.aad.as_ref().unwrap()),
                );
                let tag = gcm
                    .seal_in_place(&self.iv::<12>(), &aad, &mut data)
                    .unwrap();
                return (data, Some(tag));
            }
            "xts-gb" => {
                let xts = xts::XtsGb::new(&array(&self.key)).unwrap();
                xts.encrypt_in_place(&self.iv(), &mut data).unwrap();
            }
            "xts-ieee" => {
                let xts = xts::XtsIeee::new(&array(&self.key)).unwrap();
                xts.encrypt_in_place(&self.iv(), &mut data).unwrap();
            }
            other => panic!("mode {other}"),
        }
        (data, None)
    }
}

#[test]
fn public_reports() {
    let json = include_str!("../../../../testdata/interop/sm4_modes.json");
    let reports: Reports = serde_json::from_str(json).unwrap();
    assert_eq!(reports.cases.len(), 16);
    for report in reports.cases {
        let (data, tag) = report.run();
        assert_eq!(
            hex(&data),
            report.ciphertext,
            "{}, {}",
            report.source,
            report.mode
        );
        assert_eq!(tag.map(|tag| hex(&tag)), report.tag, "{}", report.source);
    }
}

#[derive(Deserialize)]
struct RefusedReports {
    cases: Vec<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    source: String,
    what: String,
    text: String,
}

/// Keys of a wrong length, ciphertexts without whole blocks, messages without a whole tag: an error each, and no
/// panic.
#[test]
fn public_reports_of_input_to_refuse() {
    let json = include_str!("../../../../testdata/interop/sm4_refused.json");
    let reports: RefusedReports = serde_json::from_str(json).unwrap();
    assert_eq!(reports.cases.len(), 7);
    let (key, mut kinds) = ([1; 16], [0; 3]);
    for Refused { source, what, text } in reports.cases {
        let bytes = text.as_bytes();
        match what.as_str() {
            // Hexadecimal is read by the program, whose tests have these; as raw bytes they are too long.
            "hex key" | "key" => {
                kinds[0] += 1;
                let found = bytes.len();
                let (what, expected) = ("SM4 key", 16);
                let refused = Error::InvalidLength {
                    what,
                    expected,
                    found,
                };
                assert_eq!(Sm4::from_slice(bytes).unwrap_err(), refused, "{source}");
            }
            "padded ciphertext" => {
                kinds[1] += 1;
                let (sm4, padding) = (Sm4::new(&key), Padding::Pkcs7);
                let refused = ecb::decrypt_padded(&sm4, padding, bytes);
                assert_eq!(refused, Err(Error::DecryptFailed), "{source}");
                for found in 1..16 {
                    let refused = ecb::decrypt_padded(&sm4, padding, &vec![0; found]);
                    assert!(
                        matches!(refused, Err(Error::NotMultiple { .. })),
                        "{source}"
                    );
                }
                for bad in [0x00, 0x11, 0xff] {
                    let mut block = [bad; 16];
                    sm4.encrypt_block(&mut block);
                    let refused = ecb::decrypt_padded(&sm4, padding, &block);
                    assert_eq!(refused, Err(Error::DecryptFailed), "{source}, {bad:02x}");
                }
            }
            "sealed message" => {
                kinds[2] += 1;
                for refused in [
                    Sm4Gcm::new(&key).open_leading_nonce(b"", bytes),
                    Sm4Ccm::new(&key).open_leading_nonce(b"", bytes),
                ] {
                    assert!(
                        matches!(refused, Err(Error::LengthOutOfRange { min: 28, .. })),
                        "{source}"
                    );
                }
            }
            other => panic!("kind {other}"),
        }
    }
    assert_eq!(kinds, [3, 1, 3]);
}

#[derive(Deserialize)]
struct Row {
    key: String,
    nonce: String,
    aad: String,
    start: usize,
    length: usize,
    ciphertext: String,
    tag: String,
}

#[test]
fn gcm_of_openssl() {
    let json = include_str!("../../../../testdata/openssl/sm4_gcm.json");
    let rows: Vec<Row> = serde_json::from_str(json).unwrap();
    for row in rows {
        let gcm = Sm4Gcm::new(&array(&row.key));
        let (nonce, aad) = (unhex(&row.nonce), unhex(&row.aad));
        let mut data = painted(row.start, row.length);
        let tag = gcm.seal_in_place(&nonce, &aad, &mut data).unwrap();
        assert_eq!(
            (hex(&data), hex(&tag)),
            (row.ciphertext, row.tag),
            "{} bytes",
            row.length
        );
        gcm.open_in_place(&nonce, &aad, &mut data, &tag).unwrap();
        assert_eq!(data, painted(row.start, row.length));
    }
}
