//! What is dropped leaves no secret in its memory.
//!
//! Each value is dropped where it lies, and the memory is read afterwards. What the calls before left on the stack is not
//! looked at.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;

use num_bigint::BigUint;
use reference::sm2::curve;
use shangmi::modes::cmac::CmacKey;
use shangmi::sm2::{DEFAULT_ID, PrivateKey, Signer};
use shangmi::sm3::Sm3;
use shangmi::sm3::hmac::{HmacKey, HmacSm3};
use shangmi::sm4::Sm4;

/// The memory of a value before and after it is dropped.
struct Memory {
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Overwrites the stack where the next call will lie, so that what a value does not fill holds nothing that looks random.
#[inline(never)]
fn paint_the_stack() {
    black_box([0xaa_u8; 1 << 16]);
}

/// The value in a place of its own.
#[inline(never)]
fn put<T>(make: impl FnOnce() -> T) -> Box<MaybeUninit<T>> {
    let mut place = Box::new(MaybeUninit::uninit());
    place.write(make());
    place
}

impl Memory {
    fn of<T>(make: impl FnOnce() -> T) -> Self {
        paint_the_stack();
        let mut place = put(make);
        let read = |place: &MaybeUninit<T>| {
            let start = place.as_ptr().cast::<u8>();
            (0..size_of::<T>())
                // SAFETY: the bytes lie inside the box. Padding and dropped fields may hold anything; a volatile
                // read takes them as they are.
                .map(|i| unsafe { ptr::read_volatile(start.add(i)) })
                .collect()
        };
        let before = read(&place);
        // SAFETY: the value is there, and nobody uses it afterwards.
        unsafe { place.assume_init_drop() };
        let after = read(&place);
        Self { before, after }
    }

    /// Whether eight bytes in a row of `secret` stand in the memory.
    fn holds(memory: &[u8], secret: &[u8]) -> bool {
        secret
            .windows(8)
            .any(|part| memory.windows(8).any(|bytes| bytes == part))
    }

    /// The secret was there, and is gone.
    fn assert_forgets(&self, what: &str, secret: &[u8]) {
        assert!(
            Self::holds(&self.before, secret),
            "{what}: not there at all"
        );
        assert!(!Self::holds(&self.after, secret), "{what}: still there");
    }

    /// Of what looked random before, nothing stands where it stood.
    fn assert_forgets_everything(&self, what: &str) {
        let random = |bytes: &[u8]| {
            let mut sorted = bytes.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() >= 6
        };
        let pairs = || self.before.windows(8).zip(self.after.windows(8));
        assert!(
            pairs().any(|(before, _)| random(before)),
            "{what}: no secret to be seen"
        );
        let kept = pairs().position(|(before, after)| before == after && random(before));
        assert_eq!(kept, None, "{what}: bytes from there on are as they were");
    }
}

/// A number as words in memory.
fn words(number: &BigUint) -> Vec<u8> {
    let mut bytes = number.to_bytes_le();
    bytes.resize(32, 0);
    bytes
}

const D: [u8; 32] = *b"\x39\x45\x20\x8f\x7b\x21\x44\xb1\x3f\x36\xe3\x8a\xc6\xd3\x9f\x95\x88\x93\x93\x69\x28\x60\xb5\x1a\x42\xfb\x81\xef\x4d\xf7\xc5\xb8";

fn private_key() -> PrivateKey {
    PrivateKey::from_bytes(&D).expect("in range")
}

#[test]
fn a_private_key_forgets_d() {
    Memory::of(private_key).assert_forgets("d", &words(&BigUint::from_bytes_be(&D)));
    Memory::of(|| private_key().to_bytes()).assert_forgets("d in bytes", &D);
}

#[test]
fn a_signer_forgets_the_inverse_and_the_key_of_the_nonces() {
    let n = &curve().n;
    let inverse = (BigUint::from_bytes_be(&D) + 1_u32)
        .modinv(n)
        .expect("1 + d is not 0 modulo n");
    let signer = || Signer::new(&private_key(), DEFAULT_ID).expect("a good ID");
    Memory::of(signer).assert_forgets("(1 + d)^-1", &words(&inverse));
    let memory = Memory::of(signer);
    assert!(
        !Memory::holds(&memory.before, &words(&BigUint::from_bytes_be(&D))),
        "d is not needed"
    );
}

#[test]
fn keys_for_hmac_forget_everything() {
    Memory::of(|| HmacKey::new(&D)).assert_forgets_everything("HmacKey");
    Memory::of(|| HmacSm3::new(&D)).assert_forgets_everything("HmacSm3");
}

/// The modes keep an `Sm4` each, and what they derive from it. Their memory has padding too, which may hold what was on the
/// stack where they were made, so that only what is known can be looked for.
#[test]
fn keys_of_sm4_forget_everything() {
    let [one, other] = [0x5a, 0xc3].map(|byte| Memory::of(|| Sm4::new(&[byte; 16])));
    // Some code paths keep words several times, or bits as bytes: what differs from key to key is the key, 128 bytes or
    // more. A few of them are equal by chance, and a few others are none: in padding, and behind the keys of a code
    // path with short ones, the value's memory holds what was on the stack.
    let (wiped, kept): (Vec<usize>, Vec<usize>) = (0..one.before.len())
        .filter(|&i| one.before[i] != other.before[i])
        .partition(|&i| one.after[i] == 0);
    let backend = Sm4::new(&[0x5a; 16]).backend();
    assert!(
        wiped.len() > 100 && wiped.len() > 2 * kept.len(),
        "{backend}: {} bytes of the key wiped, kept are {kept:?}",
        wiped.len()
    );
    let mut l = [0; 16];
    Sm4::new(&[0x5a; 16]).encrypt_block(&mut l);
    let l = u128::from_be_bytes(l);
    let k1 = l << 1 ^ if l >> 127 == 1 { 0x87 } else { 0 };
    let memory = Memory::of(|| CmacKey::new(&[0x5a; 16]));
    memory.assert_forgets("K1 of CMAC", &k1.to_be_bytes());
}

#[test]
fn a_hasher_forgets_its_state_and_its_message() {
    let memory = Memory::of(|| {
        let mut hasher = Sm3::new();
        hasher.update(&[&D[..], &D, &D].concat());
        hasher
    });
    memory.assert_forgets("the end of the message", &D);
    memory.assert_forgets_everything("Sm3");
}
