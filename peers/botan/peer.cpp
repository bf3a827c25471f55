// Botan behind functions that Rust can call. `cargo xtask bench-peers --botan` builds it into one library with Botan.
//
// No exception leaves a function: a failure is false or a null pointer.

#include <botan/aead.h>
#include <botan/block_cipher.h>
#include <botan/cipher_mode.h>
#include <botan/ec_apoint.h>
#include <botan/ec_group.h>
#include <botan/ec_scalar.h>
#include <botan/pubkey.h>
#include <botan/sm2.h>
#include <botan/system_rng.h>
#include <botan/version.h>

#include <cstring>
#include <memory>
#include <string>

namespace {

template <typename F>
bool succeeds(F f) noexcept {
   try {
      return f();
   } catch(...) {
      return false;
   }
}

// A mode with its key; ECB, which Botan does not count among the modes, is the block cipher alone.
struct Cipher {
      std::unique_ptr<Botan::BlockCipher> block;
      std::unique_ptr<Botan::Cipher_Mode> mode;
      Botan::AEAD_Mode* aead = nullptr;
      bool has_associated_data = false;
      std::string provider;
      // What finish() takes and gives; keeps its memory from message to message.
      Botan::secure_vector<uint8_t> rest;
};

// Encrypts or decrypts whole blocks in place: no more is copied than the mode itself copies.
bool crypt_mode(Cipher& cipher,
                const uint8_t* iv,
                size_t iv_len,
                const uint8_t* aad,
                size_t aad_len,
                uint8_t* data,
                size_t len,
                uint8_t* tag) {
   if(cipher.aead != nullptr && (aad_len > 0 || cipher.has_associated_data)) {
      cipher.aead->set_associated_data({aad, aad_len});
      cipher.has_associated_data = aad_len > 0;
   }
   cipher.mode->start(iv, iv_len);
   const size_t written = cipher.mode->process(data, len);
   if(cipher.aead == nullptr) {
      return written == len;
   }
   cipher.rest.clear();
   cipher.mode->finish(cipher.rest);
   const size_t tag_len = cipher.mode->tag_size();
   if(tag_len != 16 || written + cipher.rest.size() != len + tag_len) {
      return false;
   }
   // CCM keeps the whole message until the end.
   std::memcpy(data + written, cipher.rest.data(), len - written);
   std::memcpy(tag, cipher.rest.data() + (len - written), tag_len);
   return true;
}

const Botan::EC_Group& sm2_group() {
   static const auto group = Botan::EC_Group::from_name("sm2p256v1");
   return group;
}

// What is signed is the digest, Z_A included.
constexpr const char* sm2_padding = "1234567812345678,Raw";
constexpr auto sm2_format = Botan::Signature_Format::DerSequence;

// A private key, with an object for each of its uses.
struct Sm2 {
      explicit Sm2(const Botan::EC_Scalar& d) :
            key(sm2_group(), d),
            signer(key, Botan::system_rng(), sm2_padding, sm2_format),
            verifier(key, sm2_padding, sm2_format),
            encryptor(key, Botan::system_rng(), "SM3"),
            decryptor(key, Botan::system_rng(), "SM3") {}

      Botan::SM2_PrivateKey key;
      Botan::PK_Signer signer;
      Botan::PK_Verifier verifier;
      Botan::PK_Encryptor_EME encryptor;
      Botan::PK_Decryptor_EME decryptor;
};

constexpr size_t digest_len = 32;
constexpr size_t private_len = 32;
constexpr size_t public_len = 65;
constexpr size_t room = 256;

// Copies what fits into `out`, and says how much that is; 0 on failure.
template <typename F>
size_t copies(uint8_t* out, F f) noexcept {
   size_t len = 0;
   succeeds([&] {
      const auto bytes = f();
      if(bytes.size() > room) {
         return false;
      }
      std::memcpy(out, bytes.data(), bytes.size());
      len = bytes.size();
      return true;
   });
   return len;
}

}  // namespace

extern "C" {

const char* peer_version() {
   return Botan::short_version_cstr();
}

// name: in Botan's form, such as "SM4/GCM"; a bare block cipher for ECB. The object stays for the whole run.
Cipher* peer_cipher_new(const char* name, bool encrypts) {
   auto cipher = std::make_unique<Cipher>();
   const bool made = succeeds([&] {
      const std::string text = name;
      cipher->block = Botan::BlockCipher::create(text.substr(0, text.find('/')));
      if(!cipher->block) {
         return false;
      }
      cipher->provider = cipher->block->provider();
      if(text.find('/') == std::string::npos) {
         return true;
      }
      cipher->block.reset();
      const auto direction = encrypts ? Botan::Cipher_Dir::Encryption : Botan::Cipher_Dir::Decryption;
      cipher->mode = Botan::Cipher_Mode::create(text, direction);
      cipher->aead = dynamic_cast<Botan::AEAD_Mode*>(cipher->mode.get());
      return cipher->mode != nullptr;
   });
   return made ? cipher.release() : nullptr;
}

// The code that Botan chose on this processor.
const char* peer_cipher_provider(const Cipher* cipher) {
   return cipher->provider.c_str();
}

bool peer_cipher_set_key(Cipher* cipher, const uint8_t* key, size_t len) {
   return succeeds([&] {
      if(cipher->block) {
         cipher->block->set_key(key, len);
      } else {
         cipher->mode->set_key(key, len);
      }
      return true;
   });
}

bool peer_cipher_crypt(Cipher* cipher,
                       const uint8_t* iv,
                       size_t iv_len,
                       const uint8_t* aad,
                       size_t aad_len,
                       uint8_t* data,
                       size_t len,
                       uint8_t* tag) {
   return succeeds([&] {
      if(cipher->block) {
         cipher->block->encrypt_n(data, data, len / 16);
         return true;
      }
      return crypt_mode(*cipher, iv, iv_len, aad, aad_len, data, len, tag);
   });
}

// Null for a private key that is out of range.
Sm2* peer_sm2_new(const uint8_t* private_key) {
   Sm2* made = nullptr;
   succeeds([&] {
      const auto d = Botan::EC_Scalar::deserialize(sm2_group(), {private_key, private_len});
      if(d) {
         made = new Sm2(*d);
      }
      return d.has_value();
   });
   return made;
}

void peer_sm2_delete(Sm2* sm2) {
   delete sm2;
}

size_t peer_sm2_generate(const Sm2*, uint8_t* out) {
   return copies(out, [] {
      const Botan::SM2_PrivateKey key(Botan::system_rng(), sm2_group());
      return key._public_ec_point().serialize_uncompressed();
   });
}

size_t peer_sm2_sign(Sm2* sm2, const uint8_t* e, size_t len, uint8_t* out) {
   return copies(out, [&] { return sm2->signer.sign_message(e, len, Botan::system_rng()); });
}

bool peer_sm2_verify(Sm2* sm2, const uint8_t* e, const uint8_t* signature, size_t len) {
   return succeeds([&] { return sm2->verifier.verify_message(e, digest_len, signature, len); });
}

bool peer_sm2_verify_new_key(const uint8_t* public_key, const uint8_t* e, const uint8_t* signature, size_t len) {
   return succeeds([&] {
      const auto point = Botan::EC_AffinePoint::deserialize(sm2_group(), {public_key, public_len});
      if(!point) {
         return false;
      }
      const Botan::SM2_PublicKey key(sm2_group(), *point);
      Botan::PK_Verifier verifier(key, sm2_padding, sm2_format);
      return verifier.verify_message(e, digest_len, signature, len);
   });
}

size_t peer_sm2_encrypt(Sm2* sm2, const uint8_t* text, size_t len, uint8_t* out) {
   return copies(out, [&] { return sm2->encryptor.encrypt(text, len, Botan::system_rng()); });
}

size_t peer_sm2_decrypt(Sm2* sm2, const uint8_t* text, size_t len, uint8_t* out) {
   return copies(out, [&] { return sm2->decryptor.decrypt(text, len); });
}
}
