//! Whole modes over groups of 64 blocks, for backends with a kernel that does more than the cipher at once.
use super::{BLOCK_LEN, Direction, Sm4};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{
    blocks::Backend,
    x86_64_gfni_avx512::{counter, tweaked},
};
use crate::ghash::Ghash;

/// What is done with data and key stream: GCM hashes the ciphertext, which is there after the sum when it seals, and
/// before when it opens.
#[derive(Clone, Copy)]
pub(crate) enum Aead {
    Seal,
    Open,
}

/// Bytes of a group.
pub(crate) const GROUP_LEN: usize = 64 * BLOCK_LEN;
/// 64 blocks.
pub(crate) type Group = [u8; GROUP_LEN];

impl Sm4 {
    /// Adds the key stream of counter blocks to whole groups.
    ///
    /// - `first`: the first counter block; only its last 32 bits count, modulo 2^32
    /// - `hash`: takes the ciphertext on the way
    ///
    /// Without a kernel for all of this nothing happens, and the answer is `false`.
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2")),
        expect(unused_variables, reason = "no kernel")
    )]
    pub(crate) fn apply_counters(
        &self,
        first: u128,
        groups: &mut [Group],
        hash: Option<(Aead, &mut Ghash<'_>)>,
    ) -> bool {
        match &self.backend {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Backend::GfniAvx512(token, keys) => match hash {
                None => {
                    counter::apply(*token, keys, first, groups);
                    true
                }
                Some((way, hash)) => hash.wide().is_some_and(|hash| {
                    counter::apply_and_hash(*token, keys, first, groups, (way, hash));
                    true
                }),
            },
            _ => false,
        }
    }

    /// Encrypts or decrypts whole groups between two additions of a tweak, which is multiplied by x from block to
    /// block, and returns the tweak after them.
    ///
    /// - `tweak`: the coefficient of x^i is bit i
    /// - `reversed`: whether the tweaks have the bits of each byte in the other order when they are added
    ///
    /// Without a kernel for this nothing happens, and the answer is `None`.
    #[cfg_attr(
        not(all(target_arch = "x86_64", target_feature = "sse2")),
        expect(unused_variables, reason = "no kernel")
    )]
    pub(crate) fn crypt_tweaked(
        &self,
        order: Direction,
        tweak: u128,
        reversed: bool,
        groups: &mut [Group],
    ) -> Option<u128> {
        match &self.backend {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Backend::GfniAvx512(token, keys) => {
                let crypt = if reversed {
                    tweaked::crypt::<true>
                } else {
                    tweaked::crypt::<false>
                };
                Some(crypt(*token, keys, order, tweak, groups))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
