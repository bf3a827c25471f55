//! SM3 for the crate `digest`.
use crate::sm3::Sm3;
use core::fmt;
use digest::{
    FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    array::Array,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, EagerHash,
        FixedOutputCore, UpdateCore,
    },
    consts::{U32, U64},
};
use zeroize::ZeroizeOnDrop;

/// SM3 over whole blocks, for generic code that keeps the rest of the message itself, such as `hmac::Hmac`.
#[derive(Clone, Debug, Default)]
pub struct Sm3Core(Sm3);

impl EagerHash for Sm3 {
    type Core = Sm3Core;
}

impl Update for Sm3 {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

impl FixedOutput for Sm3 {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.0 = self.finalize();
    }
}

impl FixedOutputReset for Sm3 {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.0 = self.finalize_reset();
    }
}

impl Reset for Sm3 {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl UpdateCore for Sm3Core {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.0.update(Array::slice_as_flattened(blocks));
    }
}

impl FixedOutputCore for Sm3Core {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        self.0.update(buffer.get_data());
        out.0 = self.0.finalize_reset();
    }
}

impl Reset for Sm3Core {
    fn reset(&mut self) {
        self.0.reset();
    }
}

impl BufferKindUser for Sm3Core {
    type BufferKind = Eager;
}

impl ZeroizeOnDrop for Sm3Core {}

/// What both say about themselves.
macro_rules! describe {
    ($($name:ty),*) => {$(
        impl HashMarker for $name {}

        impl BlockSizeUser for $name {
            type BlockSize = U64;
        }

        impl OutputSizeUser for $name {
            type OutputSize = U32;
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("Sm3")
            }
        }
    )*};
}
describe!(Sm3, Sm3Core);
