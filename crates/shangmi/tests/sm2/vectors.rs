//! `testdata/sm2`: every case in a raw form, through every function that takes it. DER is the business of `shangmi-pki`.

pub(crate) mod schema;

use schema::{
    Bytes, EcPublicKey, EncodedKey, Encrypted, Group, KeyHead, RecipientHead, SignedDigest,
    SignedMessage, SignerHead, Tally, Test, Verdict, load,
};
use serde::Deserialize;
use shangmi::sm2::exchange::{Initiator, Responder};
use shangmi::sm2::{
    self, Ciphertext, PreparedVerifier, PrivateKey, PublicKey, Signature, Verification, Verifier,
    hazmat, many_backend,
};
use shangmi::sm3::Digest;
use shangmi::{Error, Result};

macro_rules! vectors {
    ($name:literal) => {
        load(include_str!(concat!("../../../../testdata/sm2/", $name)))
    };
}

fn public(key: &EcPublicKey) -> PublicKey {
    PublicKey::from_sec1(&key.uncompressed.0).expect("a public key of a group is good")
}

fn private(key: &Bytes) -> PrivateKey {
    PrivateKey::from_slice(&key.0).expect("a private key of a group is good")
}

/// Under the empty identifier only for who asks for it by name.
fn verifier(key: &PublicKey, id: &[u8]) -> Result<Verifier> {
    if id.is_empty() {
        assert!(matches!(Verifier::new(key, id), Err(Error::EmptyId)));
        return Verifier::with_empty_id(key);
    }
    Verifier::new(key, id)
}

/// e and its signature, where there are both.
type Signed = (Digest, Signature);

/// One signature in each way that takes a digest; `None` where there is nothing to verify.
fn judge_digest<B>(
    tally: &mut Tally,
    test: &Test<B>,
    verifier: Option<&Verifier>,
    input: Option<Signed>,
) {
    let both = verifier.zip(input);
    let backend = verifier.map_or("", Verifier::backend);
    let verified = both.map(|(verifier, (e, signature))| {
        let prepared = PreparedVerifier::new(verifier);
        [
            verifier.verify_digest(&e, &signature),
            prepared.verify_digest(&e, &signature),
        ]
    });
    let [plain, prepared] = verified.unwrap_or([Err(Error::BadSignature); 2]);
    assert_eq!(plain, prepared, "{backend}, test {}", test.tc_id);
    tally.judge("Verifier::verify_digest", test, plain.is_ok());
    tally.judge("PreparedVerifier::verify_digest", test, prepared.is_ok());
}

/// The keys for which the signature of e is valid are those that can be recovered from it.
fn judge_recovered<B>(tally: &mut Tally, test: &Test<B>, key: &PublicKey, input: Option<Signed>) {
    let keys = input.map(|(e, signature)| hazmat::recover_public_keys_vartime(&e, &signature));
    let found = keys.is_some_and(|keys| keys.contains(&Some(*key)));
    tally.judge("hazmat::recover_public_keys_vartime", test, found);
}

/// All signatures at once; those that are none are refused before.
fn judge_many<B>(tally: &mut Tally, all: &[(&Test<B>, PublicKey, Option<Signed>)]) {
    let readable = || {
        all.iter()
            .filter_map(|(test, key, input)| Some((test, key, (*input)?)))
    };
    let items: Vec<_> = readable()
        .map(|(_, key, (digest, signature))| Verification {
            key,
            digest,
            signature,
        })
        .collect();
    let mut results = vec![Err(Error::BadSignature); items.len()];
    sm2::verify_many(&items, &mut results).expect("as many results as items");
    let way = format!("verify_many ({})", many_backend());
    for ((test, ..), result) in readable().zip(results) {
        tally.judge(&way, test, result.is_ok());
    }
    for (test, ..) in all.iter().filter(|(_, _, input)| input.is_none()) {
        tally.judge(&way, test, false);
    }
}

#[test]
fn signatures_of_messages() {
    let groups: Vec<Group<SignerHead, SignedMessage>> = vectors!("sm2_verify_p1363_test.json");
    let (mut tally, mut all) = (Tally::default(), Vec::new());
    for group in &groups {
        let key = public(&group.head.public_key);
        let id = &group.head.id.as_ref().expect("an identifier").0;
        let verifier = verifier(&key, id).ok();
        for test in &group.tests {
            let signature = Signature::from_slice(&test.body.sig.0).ok();
            let message = &test.body.msg.0;
            let verified =
                verifier
                    .as_ref()
                    .zip(signature.as_ref())
                    .map(|(verifier, signature)| {
                        let prepared = PreparedVerifier::new(verifier);
                        [
                            verifier.verify(message, signature),
                            prepared.verify(message, signature),
                        ]
                    });
            let [plain, prepared] = verified.unwrap_or([Err(Error::BadSignature); 2]);
            tally.judge("Verifier::verify", test, plain.is_ok());
            tally.judge("PreparedVerifier::verify", test, prepared.is_ok());
            let digest = verifier.as_ref().map(|verifier| {
                let mut hasher = verifier.hasher();
                hasher.update(message);
                hasher.finalize()
            });
            let input = digest.zip(signature);
            judge_digest(&mut tally, test, verifier.as_ref(), input);
            judge_recovered(&mut tally, test, &key, input);
            all.push((test, key, input));
        }
    }
    judge_many(&mut tally, &all);
    tally.finish(6, &groups);
}

#[test]
fn signatures_of_digests() {
    let groups: Vec<Group<SignerHead, SignedDigest>> = vectors!("sm2_verify_digest_test.json");
    let (mut tally, mut all) = (Tally::default(), Vec::new());
    for group in &groups {
        let key = public(&group.head.public_key);
        let verifier = Verifier::with_empty_id(&key).expect("no identifier is asked for");
        for test in &group.tests {
            let digest = test.body.digest.0.clone().try_into().expect("32 bytes");
            let signature = Signature::from_slice(&test.body.sig.0).ok();
            let input = Some(digest).zip(signature);
            judge_digest(&mut tally, test, Some(&verifier), input);
            judge_recovered(&mut tally, test, &key, input);
            all.push((test, key, input));
        }
    }
    judge_many(&mut tally, &all);
    tally.finish(4, &groups);
}

/// The parts of a raw ciphertext, C1 with its 04.
fn parts<'a>(ciphertext: &'a [u8], encoding: &str) -> Option<Ciphertext<'a>> {
    let (c1, rest) = ciphertext.split_at_checked(65)?;
    let (c3, c2) = match encoding {
        "c1c3c2" => rest.split_first_chunk()?,
        "c1c2c3" => rest.split_last_chunk().map(|(c2, c3)| (c3, c2))?,
        other => panic!("no encoding {other}"),
    };
    Some(Ciphertext {
        c1: PublicKey::from_sec1(c1).ok()?,
        c3: *c3,
        c2,
    })
}

/// Whether a decryption gave the plaintext; where it gave none, nothing may be left in the buffer.
fn opened(test: &Test<Encrypted>, result: Result<()>, out: &[u8]) -> bool {
    if result.is_err() {
        assert!(out.iter().all(|byte| *byte == 0), "test {}", test.tc_id);
        return false;
    }
    assert_eq!(out, test.body.msg.0, "test {}", test.tc_id);
    true
}

#[test]
fn ciphertexts() {
    let mut groups: Vec<Group<RecipientHead, Encrypted>> = vectors!("sm2_decrypt_test.json");
    groups.retain(|group| group.head.encoding != "der");
    assert_eq!(groups.len(), 2);
    let mut tally = Tally::default();
    let many = format!("decrypt_many ({})", many_backend());
    for Group { head, tests } in &groups {
        let key = private(&head.private_key);
        assert_eq!(*key.public_key(), public(&head.public_key));
        let mut readable = Vec::new();
        for test in tests {
            let Some(ciphertext) = parts(&test.body.ct.0, &head.encoding) else {
                tally.judge("decrypt", test, false);
                tally.judge(&many, test, false);
                continue;
            };
            let mut out = vec![0; ciphertext.c2.len()];
            let result = sm2::decrypt(&key, &ciphertext, &mut out);
            tally.judge("decrypt", test, opened(test, result, &out));
            readable.push((test, ciphertext));
        }
        let ciphertexts: Vec<_> = readable.iter().map(|(_, ciphertext)| *ciphertext).collect();
        let mut buffers: Vec<_> = ciphertexts.iter().map(|c| vec![0; c.c2.len()]).collect();
        let mut slices: Vec<_> = buffers.iter_mut().map(Vec::as_mut_slice).collect();
        let mut results = vec![Ok(()); ciphertexts.len()];
        sm2::decrypt_many(&key, &ciphertexts, &mut slices, &mut results).expect("as many of each");
        for ((test, _), (result, out)) in readable.iter().zip(results.into_iter().zip(&buffers)) {
            tally.judge(&many, test, opened(test, result, out));
        }
    }
    tally.finish(2, &groups);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Side {
    role: String,
    id: Bytes,
    public_key: EcPublicKey,
    private_key: Bytes,
    ephemeral_private_key: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Offer {
    peer_id: Bytes,
    peer_public_key: Bytes,
    peer_ephemeral_public_key: Bytes,
    peer_confirmation: Bytes,
    key_length: usize,
    confirmation: Bytes,
    shared: Bytes,
}

/// The shared key and this side's confirmation, if the other side's is right.
fn agree(side: &Side, offer: &Offer) -> Result<(Vec<u8>, Digest)> {
    let key = private(&side.private_key);
    assert_eq!(*key.public_key(), public(&side.public_key));
    let ephemeral = private(&side.ephemeral_private_key);
    let peer = PublicKey::from_sec1(&offer.peer_public_key.0)?;
    let r = PublicKey::from_sec1(&offer.peer_ephemeral_public_key.0)?;
    let theirs = offer
        .peer_confirmation
        .0
        .as_slice()
        .try_into()
        .map_err(|_| Error::BadMac)?;
    let mut shared = vec![0; offer.key_length];
    let id = &offer.peer_id.0;
    if side.role == "initiator" {
        let start = |d| hazmat::initiator_with_ephemeral(&key, &side.id.0, d);
        let confirmation =
            start(ephemeral.clone())?.finish_confirmed(&peer, id, &r, theirs, &mut shared)?;
        let mut unconfirmed = vec![0; offer.key_length];
        Initiator::finish(start(ephemeral)?, &peer, id, &r, &mut unconfirmed)?;
        assert_eq!(shared, unconfirmed);
        Ok((shared, confirmation))
    } else {
        let responder = hazmat::responder_with_ephemeral(&key, &side.id.0, ephemeral)?;
        let (confirmation, check) = Responder::finish(responder, &peer, id, &r, &mut shared)?;
        check.check(theirs)?;
        Ok((shared, confirmation))
    }
}

#[test]
fn key_agreements() {
    let groups: Vec<Group<Side, Offer>> = vectors!("sm2_key_agreement_test.json");
    let mut tally = Tally::default();
    for Group { head, tests } in &groups {
        for test in tests {
            let agreed = agree(head, &test.body);
            tally.judge("exchange", test, agreed.is_ok());
            if let Ok((shared, confirmation)) = agreed {
                let Offer {
                    confirmation: sent,
                    shared: key,
                    ..
                } = &test.body;
                assert_eq!((shared, &confirmation[..]), (key.0.clone(), &sent.0[..]));
            }
        }
    }
    tally.finish(1, &groups);
}

#[test]
fn public_keys() {
    let mut groups: Vec<Group<KeyHead, EncodedKey>> = vectors!("sm2_public_key_test.json");
    groups.retain(|group| group.head.encoding == "ecpoint");
    assert_eq!(groups.len(), 1);
    let mut tally = Tally::default();
    for test in &groups[0].tests {
        let encoded = &test.body.encoded.0[..];
        let key = PublicKey::from_sec1(encoded).ok();
        tally.judge("from_sec1", test, key.is_some());
        if let Some(key) = key {
            assert_eq!(Some(key.to_uncompressed()), test.body.uncompressed());
        }
        // Only 65 bytes with a 04 in front have two coordinates.
        let halves = encoded
            .strip_prefix(&[4])
            .and_then(|xy| xy.split_first_chunk());
        let y = halves.and_then(|(_, y)| y.try_into().ok());
        let by_coordinates = halves
            .zip(y)
            .map(|((x, _), y)| PublicKey::from_coordinates(x, y));
        let accepted = by_coordinates.is_some_and(|key| key.is_ok());
        assert!(!accepted || key.is_some(), "test {}", test.tc_id);
        assert!(
            test.result != Verdict::Valid || accepted,
            "test {}",
            test.tc_id
        );
        tally.judge("from_coordinates", test, accepted);
    }
    tally.finish(2, &groups);
}
