//! SM4-GCM and SM4-CCM for the crate `aead`.
use crate::modes::{ccm::Sm4Ccm, gcm::Sm4Gcm};
use aead::{
    AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Result, Tag, TagPosition,
    consts::{U12, U16},
    inout::InOutBuf,
};

macro_rules! aead {
    ($($name:ident),*) => {$(
        impl KeySizeUser for $name {
            type KeySize = U16;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self::new(&key.0)
            }
        }

        impl AeadCore for $name {
            type NonceSize = U12;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>> {
                let data = buffer.into_out_with_copied_in();
                let tag = self.seal_in_place(nonce, associated_data, data);
                tag.map(Into::into).map_err(|_| Error)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<()> {
                let data = buffer.into_out_with_copied_in();
                self.open_in_place(nonce, associated_data, data, &tag.0)
                    .map_err(|_| Error)
            }
        }
    )*};
}
aead!(Sm4Gcm, Sm4Ccm);
