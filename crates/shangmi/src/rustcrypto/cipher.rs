//! SM4 for the crate `cipher`.
use crate::sm4::Sm4;
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
    array::Array,
    consts::{U16, U64},
};
use core::fmt;

impl KeySizeUser for Sm4 {
    type KeySize = U16;
}

impl KeyInit for Sm4 {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

impl AlgorithmName for Sm4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4")
    }
}

impl BlockSizeUser for Sm4 {
    type BlockSize = U16;
}

/// As many as the widest code takes side by side.
impl ParBlocksSizeUser for Sm4 {
    type ParBlocksSize = U64;
}

/// One direction: the cipher hands itself out as its backend.
macro_rules! direction {
    (
        $cipher:ident :: $with_backend:ident, $closure:ident,
        $backend:ident :: $one:ident $parallel:ident $tail:ident, $blocks:ident
    ) => {
        impl $cipher for Sm4 {
            fn $with_backend(&self, f: impl $closure<BlockSize = Self::BlockSize>) {
                f.call(self);
            }
        }

        impl $backend for Sm4 {
            fn $one(&self, block: InOut<'_, '_, Block<Self>>) {
                Self::$one(self, &mut block.into_out_with_copied_in().0);
            }

            fn $parallel(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                let blocks = blocks.into_out_with_copied_in();
                Self::$blocks(self, Array::cast_slice_to_core_mut(blocks));
            }

            fn $tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                let blocks = blocks.into_out_with_copied_in();
                Self::$blocks(self, Array::cast_slice_to_core_mut(blocks));
            }
        }
    };
}
direction!(
    BlockCipherEncrypt::encrypt_with_backend, BlockCipherEncClosure,
    BlockCipherEncBackend::encrypt_block encrypt_par_blocks encrypt_tail_blocks, encrypt_blocks
);
direction!(
    BlockCipherDecrypt::decrypt_with_backend, BlockCipherDecClosure,
    BlockCipherDecBackend::decrypt_block decrypt_par_blocks decrypt_tail_blocks, decrypt_blocks
);
