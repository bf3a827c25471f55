//! Our side.

use anyhow::Result;
use shangmi::modes::cmac::{Cmac, CmacKey};
use shangmi::modes::xts::{XtsGb, XtsIeee};
use shangmi::modes::{cbc, ccm::Sm4Ccm, cfb, ctr, ecb, gcm::Sm4Gcm, ofb};
use shangmi::sm4::Sm4;

use super::{Case, Mode, Random, Way, array};

/// The ciphertext with the tag after it, or CMAC's tag.
pub(super) fn encrypt(case: &Case) -> Result<Vec<u8>> {
    let Case { key, iv, aad, .. } = case;
    let mut data = case.text.clone();
    match case.mode {
        Mode::Gcm => {
            let tag = Sm4Gcm::new(&array(key)).seal_in_place(iv, aad, &mut data)?;
            data.extend(tag);
        }
        Mode::Ccm => {
            let tag = Sm4Ccm::new(&array(key)).seal_in_place(iv, aad, &mut data)?;
            data.extend(tag);
        }
        Mode::XtsIeee => XtsIeee::new(&array(key))?.encrypt_in_place(&array(iv), &mut data)?,
        Mode::XtsGb => XtsGb::new(&array(key))?.encrypt_in_place(&array(iv), &mut data)?,
        Mode::Cmac => data = CmacKey::new(&array(key)).mac(&data).into(),
        _ => stream(case, Way::Encrypt)(&mut data)?,
    }
    Ok(data)
}

/// The plaintext.
pub(super) fn decrypt(case: &Case, sealed: &[u8]) -> Result<Vec<u8>> {
    let Case { key, iv, aad, .. } = case;
    let (body, tag) = sealed.split_at(case.text.len());
    let mut data = body.to_vec();
    match case.mode {
        Mode::Gcm => Sm4Gcm::new(&array(key)).open_in_place(iv, aad, &mut data, &array(tag))?,
        Mode::Ccm => Sm4Ccm::new(&array(key)).open_in_place(iv, aad, &mut data, &array(tag))?,
        Mode::XtsIeee => XtsIeee::new(&array(key))?.decrypt_in_place(&array(iv), &mut data)?,
        Mode::XtsGb => XtsGb::new(&array(key))?.decrypt_in_place(&array(iv), &mut data)?,
        _ => stream(case, Way::Decrypt)(&mut data)?,
    }
    Ok(data)
}

type Stream = Box<dyn FnMut(&mut [u8]) -> shangmi::Result<()>>;

/// The object of a mode that takes its input in pieces.
fn stream(case: &Case, way: Way) -> Stream {
    let (cipher, iv) = (Sm4::new(&array(&case.key)), array(&case.iv));
    macro_rules! by {
        ($new:expr, $call:ident) => {{
            let mut object = $new;
            Box::new(move |data| object.$call(data))
        }};
    }
    match (case.mode, way) {
        (Mode::Cbc, Way::Encrypt) => by!(cbc::CbcEncryptor::new(&cipher, &iv), encrypt_in_place),
        (Mode::Cbc, Way::Decrypt) => by!(cbc::CbcDecryptor::new(&cipher, &iv), decrypt_in_place),
        (Mode::Cfb, Way::Encrypt) => by!(cfb::CfbEncryptor::new(&cipher, &iv), encrypt_in_place),
        (Mode::Cfb, Way::Decrypt) => by!(cfb::CfbDecryptor::new(&cipher, &iv), decrypt_in_place),
        (Mode::Ofb, _) => by!(ofb::Ofb::new(&cipher, &iv), apply_in_place),
        (Mode::Ctr, _) => by!(ctr::Ctr::new(&cipher, &iv), apply_in_place),
        (_, Way::Encrypt) => Box::new(move |data| ecb::encrypt_in_place(&cipher, data)),
        (_, Way::Decrypt) => Box::new(move |data| ecb::decrypt_in_place(&cipher, data)),
    }
}

/// The same in pieces of random lengths; none for a mode that wants all at once.
pub(super) fn in_pieces(
    case: &Case,
    way: Way,
    input: &[u8],
    random: &mut Random,
) -> Result<Option<Vec<u8>>> {
    let unit = match case.mode {
        Mode::Ecb | Mode::Cbc => 16,
        Mode::Cfb | Mode::Ofb | Mode::Ctr | Mode::Cmac => 1,
        _ => return Ok(None),
    };
    let mut rest = input;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let most = random.cut(&mut &*rest).len();
        let (piece, later) = rest.split_at((most / unit * unit).max(unit));
        pieces.push(piece);
        rest = later;
    }
    if case.mode == Mode::Cmac {
        let mut mac = Cmac::new(&array(&case.key));
        pieces.iter().for_each(|piece| mac.update(piece));
        return Ok(Some(mac.finalize().into()));
    }
    let mut stream = stream(case, way);
    let mut out = Vec::with_capacity(input.len());
    for piece in pieces {
        let from = out.len();
        out.extend_from_slice(piece);
        stream(&mut out[from..])?;
    }
    Ok(Some(out))
}
