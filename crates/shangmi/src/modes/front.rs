//! What several modes offer in the same words: from buffer to buffer, and with a random nonce or IV in front.

/// For an AEAD with `seal_in_place` and `open_in_place_with_tag`: the rest of its calls with a whole tag.
macro_rules! whole_tag {
    ($name:ident, $(#[$limit:meta])*) => {
        impl $name {
            /// Decrypts `data` in place if the tag is right.
            ///
            /// # Errors
            /// [`DecryptFailed`](crate::Error::DecryptFailed) for a wrong tag: `data` is then all zero. Else as
            /// [`seal_in_place`](Self::seal_in_place), `data` being as it was.
            pub fn open_in_place(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8; TAG_LEN],
            ) -> crate::Result<()> {
                self.open_in_place_with_tag(nonce, aad, data, tag)
            }

            /// Encrypts from `plaintext` to `ciphertext` and returns the tag.
            ///
            /// # Errors
            /// As [`seal_in_place`](Self::seal_in_place); [`InvalidLength`](crate::Error::InvalidLength) unless both
            /// have one length.
            pub fn seal(
                &self,
                nonce: &[u8],
                aad: &[u8],
                plaintext: &[u8],
                ciphertext: &mut [u8],
            ) -> crate::Result<[u8; TAG_LEN]> {
                crate::error::exact_len("output", plaintext.len(), ciphertext.len())?;
                ciphertext.copy_from_slice(plaintext);
                self.seal_in_place(nonce, aad, ciphertext)
            }

            /// Decrypts from `ciphertext` to `plaintext` if the tag is right.
            ///
            /// # Errors
            /// As [`open_in_place`](Self::open_in_place), `plaintext` being all zero after a wrong tag;
            /// [`InvalidLength`](crate::Error::InvalidLength) unless both have one length.
            pub fn open(
                &self,
                nonce: &[u8],
                aad: &[u8],
                ciphertext: &[u8],
                plaintext: &mut [u8],
                tag: &[u8; TAG_LEN],
            ) -> crate::Result<()> {
                crate::error::exact_len("output", ciphertext.len(), plaintext.len())?;
                plaintext.copy_from_slice(ciphertext);
                self.open_in_place(nonce, aad, plaintext, tag)
            }

            /// Draws a nonce of 12 bytes and encrypts: nonce ‖ ciphertext ‖ tag.
            ///
            $(#[$limit])*
            ///
            /// # Errors
            /// As [`seal_in_place`](Self::seal_in_place); [`RandomSource`](crate::Error::RandomSource) when `rng` fails.
            #[cfg(feature = "alloc")]
            pub fn seal_random_nonce(
                &self,
                aad: &[u8],
                plaintext: &[u8],
                rng: &mut (impl crate::rng::Rng + ?Sized),
            ) -> crate::Result<alloc::vec::Vec<u8>> {
                let (nonce, mut message) =
                    super::with_random_front::<NONCE_LEN>(plaintext, TAG_LEN, rng)?;
                let tag = self.seal_in_place(&nonce, aad, &mut message[NONCE_LEN..])?;
                message.extend_from_slice(&tag);
                Ok(message)
            }

            /// Decrypts nonce ‖ ciphertext ‖ tag.
            ///
            /// # Errors
            /// [`DecryptFailed`](crate::Error::DecryptFailed) for a wrong tag;
            /// [`LengthOutOfRange`](crate::Error::LengthOutOfRange) for fewer than 28 bytes.
            #[cfg(feature = "alloc")]
            pub fn open_leading_nonce(
                &self,
                aad: &[u8],
                message: &[u8],
            ) -> crate::Result<alloc::vec::Vec<u8>> {
                let (nonce, data, tag) = super::split_sealed::<NONCE_LEN>(message)?;
                let mut data = data.to_vec();
                self.open_in_place(nonce, aad, &mut data, tag)?;
                Ok(data)
            }
        }
    };
}
pub(super) use whole_tag;

/// For a stream mode: the calls with an IV in front of the message.
macro_rules! leading_iv {
    ($encryptor:ident::$encrypt:ident, $decryptor:ident::$decrypt:ident $(, #[$limit:meta])*) => {
        /// Draws an IV and encrypts: IV ‖ ciphertext.
        ///
        $(#[$limit])*
        /// # Errors
        /// [`RandomSource`](crate::Error::RandomSource) when `rng` fails.
        #[cfg(feature = "alloc")]
        pub fn encrypt_random_iv(
            cipher: &Sm4,
            plaintext: &[u8],
            rng: &mut (impl crate::rng::Rng + ?Sized),
        ) -> crate::Result<alloc::vec::Vec<u8>> {
            let (iv, mut message) = super::with_random_front(plaintext, 0, rng)?;
            $encryptor::new(cipher, &iv).$encrypt(&mut message[iv.len()..])?;
            Ok(message)
        }

        /// Decrypts IV ‖ ciphertext.
        ///
        /// # Errors
        /// [`LengthOutOfRange`](crate::Error::LengthOutOfRange) when there is no whole IV.
        #[cfg(feature = "alloc")]
        pub fn decrypt_leading_iv(
            cipher: &Sm4,
            message: &[u8],
        ) -> crate::Result<alloc::vec::Vec<u8>> {
            let (iv, ciphertext) = super::split_leading("IV and ciphertext", message)?;
            let mut data = ciphertext.to_vec();
            $decryptor::new(cipher, iv).$decrypt(&mut data)?;
            Ok(data)
        }
    };
}
pub(super) use leading_iv;
