"""SM2 of the package gmssl for `cargo xtask differential sm2`.

The protocol is that of xtask/src/differential/sm2/peer.rs: a request is a line, and so is its answer.
"""

import sys
from functools import lru_cache
from importlib.metadata import version

try:
    from gmssl import func, sm2, sm3
except ImportError as error:
    sys.exit(f"peer.py: {error}")

CURVE = sm2.default_ecc_table
DEFAULT_ID = b"1234567812345678"
MODES = {"c1c2c3": 0, "c1c3c2": 1}


def refuse(reason):
    raise ValueError(reason)


@lru_cache
def base_multiple(d):
    return sm2.CryptSM2("", "")._kg(int.from_bytes(d, "big"), CURVE["g"])


def with_public(key, **options):
    """As gmssl's manual has it: a key without its 04."""
    return sm2.CryptSM2("", key[1:].hex(), **options)


def digest_of(key, user, message):
    """e for an ID: the package knows the default one only."""
    curve = "".join(CURVE[name] for name in "abg")
    z_input = (8 * len(user)).to_bytes(2, "big") + user + bytes.fromhex(curve) + key
    z = bytes.fromhex(sm3.sm3_hash(list(z_input)))
    return bytes.fromhex(sm3.sm3_hash(list(z + message)))


def public(d):
    return [b"\x04" + bytes.fromhex(base_multiple(d))]


def sign(form, d, user, message):
    key = base_multiple(d)
    crypt = sm2.CryptSM2(d.hex(), key, asn1=form == "der")
    if user == DEFAULT_ID:
        # The key that goes into Z is that of the object, which may have lost its beginning.
        signature = crypt.sign_with_sm3(message)
    else:
        e = digest_of(bytes.fromhex(key), user, message)
        signature = crypt.sign(e, func.random_hex(64))
    return [bytes.fromhex(signature or refuse("no signature"))]


def verify(form, key, user, message, signature):
    crypt = with_public(key, asn1=form == "der")
    if user == DEFAULT_ID:
        valid = crypt.verify_with_sm3(signature.hex(), message)
    else:
        valid = crypt.verify(signature.hex(), digest_of(key[1:], user, message))
    return [] if valid else refuse("not valid")


def encrypt(form, key, plaintext):
    ciphertext = with_public(key, mode=MODES[form]).encrypt(plaintext)
    return [b"\x04" + (ciphertext or refuse("no ciphertext"))]


def decrypt(form, d, ciphertext):
    plaintext = sm2.CryptSM2(d.hex(), "", mode=MODES[form]).decrypt(ciphertext[1:])
    return [plaintext or refuse("no plaintext")]


def package_version():
    python = ".".join(map(str, sys.version_info[:3]))
    return [f"{version('gmssl')}, Python {python}".encode()]


# Each operation, and how many of its arguments are words.
OPERATIONS = {
    "version": (package_version, 0),
    "public": (public, 0),
    "sign": (sign, 1),
    "verify": (verify, 1),
    "encrypt": (encrypt, 1),
    "decrypt": (decrypt, 1),
}


def handle(line):
    operation, *arguments = line.split()
    function, words = OPERATIONS[operation]
    octets = [bytes.fromhex(word.strip("-")) for word in arguments[words:]]
    return function(*arguments[:words], *octets)


def main():
    for line in sys.stdin:
        try:
            fields = handle(line)
            answer = " ".join(["ok"] + [field.hex() or "-" for field in fields])
        except Exception as error:  # whatever the package throws is its refusal
            answer = " ".join(f"refused {type(error).__name__}: {error}".split())
        print(answer, flush=True)


if __name__ == "__main__":
    main()
