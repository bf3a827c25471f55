//! HMAC (GB/T 15852.2-2024, RFC 2104), HKDF (RFC 5869) and PBKDF2 (RFC 8018) over SM3.

use crate::sm3;

/// SM3's block length B in bytes.
const BLOCK: usize = 64;

/// HMAC-SM3: SM3(K xor opad || SM3(K xor ipad || text)).
pub fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut k = [0; BLOCK];
    if key.len() > BLOCK {
        k[..32].copy_from_slice(&sm3::digest(key));
    } else {
        k[..key.len()].copy_from_slice(key);
    }
    let inner = sm3::digest(&[&k.map(|byte| byte ^ 0x36)[..], text].concat());
    sm3::digest(&[&k.map(|byte| byte ^ 0x5c)[..], &inner].concat())
}

/// HKDF-Extract (RFC 5869, 2.2): PRK = HMAC(salt, IKM).
pub fn hkdf_extract(salt: &[u8], input_key: &[u8]) -> [u8; 32] {
    hmac(salt, input_key)
}

/// HKDF-Expand (RFC 5869, 2.3): the first `length` bytes of T(1) || T(2) || ...;
/// `None` above 255 * 32 bytes.
pub fn hkdf_expand(prk: &[u8], info: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut okm = Vec::new();
    let mut t = Vec::new();
    for i in 1..=u8::try_from(length.div_ceil(32)).ok()? {
        t = hmac(prk, &[&t, info, &[i]].concat()).to_vec();
        okm.extend_from_slice(&t);
    }
    okm.truncate(length);
    Some(okm)
}

/// PBKDF2 (RFC 8018, 5.2) with HMAC-SM3: `length` bytes of `T_1` || `T_2` || ...;
/// `None` for no iterations or above 2^32 - 1 blocks.
pub fn pbkdf2(password: &[u8], salt: &[u8], iterations: u32, length: usize) -> Option<Vec<u8>> {
    if iterations == 0 {
        return None;
    }
    let mut key = Vec::new();
    for i in 1..=u32::try_from(length.div_ceil(32)).ok()? {
        let mut u = hmac(password, &[salt, &i.to_be_bytes()].concat());
        let mut t = u;
        for _ in 1..iterations {
            u = hmac(password, &u);
            t = std::array::from_fn(|j| t[j] ^ u[j]);
        }
        key.extend_from_slice(&t);
    }
    key.truncate(length);
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_out_of_range_are_refused() {
        assert!(hkdf_expand(&[0; 32], b"", 255 * 32).is_some());
        assert!(hkdf_expand(&[0; 32], b"", 255 * 32 + 1).is_none());
        assert!(pbkdf2(b"", b"", 0, 32).is_none());
    }
}
