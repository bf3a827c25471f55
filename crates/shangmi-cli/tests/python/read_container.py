#!/usr/bin/env python3
"""Reads sealed files (docs/container.md), independently of the program.

    read_container.py --key HEX FILE                    the content, on standard output
    read_container.py --passphrase TEXT FILE
    read_container.py --key HEX --range 100:200 FILE    content bytes 100 to 199
    read_container.py --batch < CASES                   many at once, as JSON

A case of a batch is {"file": PATH, "key": HEX or "passphrase": TEXT, "range": "START:END"}; the
answer is a list of {"exit": STATUS, "content": HEX}.

SM2, SM3 and SM4 are written here from GB/T 32918, 32905 and 32907, with nothing but Python's own
library. It is slow and its timing shows secrets: it is there to prove the page, not to be used.

Exit status: 0 done; 1 refused by a key, a MAC or a tag; 2 not a file of this form.
"""

import argparse
import base64
import functools
import json
import sys


class Refused(Exception):
    """A key, a MAC or a tag says no."""


class Malformed(Exception):
    """A rule of the form is broken."""


# SM3 (GB/T 32905)

MASK = 0xFFFFFFFF


def rotate(x, n):
    n %= 32
    return (x << n | x >> (32 - n)) & MASK if n else x


IV = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
T = [rotate(0x79CC4519 if j < 16 else 0x7A879D8A, j) for j in range(64)]


def compress(v, block):
    w = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)]
    for j in range(16, 68):
        x = w[j - 16] ^ w[j - 9] ^ rotate(w[j - 3], 15)
        x ^= rotate(x, 15) ^ rotate(x, 23)
        w.append(x ^ rotate(w[j - 13], 7) ^ w[j - 6])
    a, b, c, d, e, f, g, h = v
    for j in range(64):
        a12 = rotate(a, 12)
        ss1 = rotate((a12 + e + T[j]) & MASK, 7)
        ss2 = ss1 ^ a12
        if j < 16:
            ff, gg = a ^ b ^ c, e ^ f ^ g
        else:
            ff, gg = a & b | a & c | b & c, e & f | ~e & g
        tt1 = (ff + d + ss2 + (w[j] ^ w[j + 4])) & MASK
        tt2 = (gg + h + ss1 + w[j]) & MASK
        d, c, b, a = c, rotate(b, 9), a, tt1
        h, g, f, e = g, rotate(f, 19), e, tt2 ^ rotate(tt2, 9) ^ rotate(tt2, 17)
    return [x ^ y for x, y in zip(v, (a, b, c, d, e, f, g, h))]


def absorb(v, blocks):
    for i in range(0, len(blocks), 64):
        v = compress(v, blocks[i : i + 64])
    return v


def finish(v, tail, total):
    """The digest, where `tail` of `total` bytes is not compressed yet."""
    padded = tail + b"\x80" + bytes(-(len(tail) + 9) % 64) + (8 * total).to_bytes(8, "big")
    return b"".join(x.to_bytes(4, "big") for x in absorb(v, padded))


def sm3(message):
    return finish(IV, message, len(message))


class Hmac:
    """HMAC-SM3 (RFC 2104) with both states of the key kept."""

    def __init__(self, key):
        key = (sm3(key) if len(key) > 64 else key).ljust(64, b"\0")
        self.inner = compress(IV, bytes(x ^ 0x36 for x in key))
        self.outer = compress(IV, bytes(x ^ 0x5C for x in key))

    def __call__(self, message):
        inner = finish(self.inner, message, 64 + len(message))
        return finish(self.outer, inner, 96)


def hkdf_expand(prk, info, length):
    """RFC 5869, section 2.3."""
    mac, out, block = Hmac(prk), b"", b""
    while len(out) < length:
        block = mac(block + info + bytes([len(out) // 32 + 1]))
        out += block
    return out[:length]


def pbkdf2(passphrase, salt, iterations):
    """RFC 8018, section 5.2: the first 32 bytes."""
    mac = Hmac(passphrase)
    u = mac(salt + (1).to_bytes(4, "big"))
    total = int.from_bytes(u, "big")
    for _ in range(iterations - 1):
        u = mac(u)
        total ^= int.from_bytes(u, "big")
    return total.to_bytes(32, "big")


# SM4 (GB/T 32907), encryption only: GCM needs no more


def gf_multiply(a, b, polynomial):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 0x100:
            a ^= polynomial
        b >>= 1
    return product


def affine(x):
    """The rows of S's matrix are the rotations of 1, 1, 1, 0, 0, 1, 0, 1 (A7 for the lowest bit); the constant is D3."""
    y = 0
    for i in range(8):
        row = (0xA7 << i | 0xA7 >> (8 - i)) & 0xFF
        y |= (bin(row & x).count("1") & 1) << i
    return y ^ 0xD3


def s_box():
    """S(x) = A(I(A(x))), where I inverts modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1."""
    inverse = [0] * 256
    for x in range(1, 256):
        if not inverse[x]:
            y = next(y for y in range(1, 256) if gf_multiply(x, y, 0x1F5) == 1)
            inverse[x], inverse[y] = y, x
    return [affine(inverse[affine(x)]) for x in range(256)]


SBOX = s_box()
FK = [0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC]
CK = [sum((28 * i + 7 * j) % 256 << (24 - 8 * j) for j in range(4)) for i in range(32)]


def tau(x):
    return SBOX[x >> 24] << 24 | SBOX[x >> 16 & 255] << 16 | SBOX[x >> 8 & 255] << 8 | SBOX[x & 255]


def linear(x):
    return x ^ rotate(x, 2) ^ rotate(x, 10) ^ rotate(x, 18) ^ rotate(x, 24)


# L(tau(x)) by bytes: the linear layer of each byte's S-box value at its place.
TABLES = [[linear(s << shift) for s in SBOX] for shift in (24, 16, 8, 0)]


class Sm4:
    def __init__(self, key):
        k = [int.from_bytes(key[i : i + 4], "big") ^ FK[i // 4] for i in range(0, 16, 4)]
        for i in range(32):
            x = tau(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ CK[i])
            k.append(k[i] ^ x ^ rotate(x, 13) ^ rotate(x, 23))
        self.keys = k[4:]

    def encrypt(self, block):
        t0, t1, t2, t3 = TABLES
        a, b, c, d = (block >> shift & MASK for shift in (96, 64, 32, 0))
        for key in self.keys:
            x = b ^ c ^ d ^ key
            x = a ^ t0[x >> 24] ^ t1[x >> 16 & 255] ^ t2[x >> 8 & 255] ^ t3[x & 255]
            a, b, c, d = b, c, d, x
        return d << 96 | c << 64 | b << 32 | a


# GCM (NIST SP 800-38D), 12 bytes of nonce, no additional data, 16 bytes of tag


def ghash_tables(h):
    """For each byte of a block, its products with H."""
    power, powers = h, []
    for _ in range(128):
        powers.append(power)
        power = power >> 1 ^ (0xE1 << 120 if power & 1 else 0)
    tables = []
    for byte in range(16):
        table = [0] * 256
        for value in range(1, 256):
            low = value & -value
            bit = 8 * byte + 8 - low.bit_length()
            table[value] = table[value ^ low] ^ powers[bit]
        tables.append(table)
    return tables


class Gcm:
    def __init__(self, key):
        self.cipher = Sm4(key)
        self.tables = ghash_tables(self.cipher.encrypt(0))

    def ghash(self, data):
        y = 0
        data += bytes(-len(data) % 16)
        for i in range(0, len(data), 16):
            y ^= int.from_bytes(data[i : i + 16], "big")
            y = self.multiply(y)
        return y

    def multiply(self, y):
        product = 0
        for table, byte in zip(self.tables, y.to_bytes(16, "big")):
            product ^= table[byte]
        return product

    def open(self, nonce, sealed):
        """The content, or None if the tag does not match."""
        data, tag = sealed[:-16], int.from_bytes(sealed[-16:], "big")
        counter = int.from_bytes(nonce + b"\0\0\0\1", "big")
        expected = self.multiply(self.ghash(data) ^ 8 * len(data)) ^ self.cipher.encrypt(counter)
        if tag != expected:
            return None
        out = bytearray()
        for i in range(0, len(data), 16):
            counter += 1
            piece = data[i : i + 16]
            stream = self.cipher.encrypt(counter).to_bytes(16, "big")
            out += bytes(x ^ y for x, y in zip(piece, stream))
        return bytes(out)


# SM2 (GB/T 32918)

P = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF
A = P - 3
B = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
G = (
    0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
    0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0,
)


def on_curve(point):
    x, y = point
    return x < P and y < P and (y * y - (x * x * x + A * x + B)) % P == 0


def add(p, q):
    if p is None:
        return q
    if q is None:
        return p
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    if p == q:
        slope = (3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


@functools.lru_cache
def multiply(k, point):
    result = None
    for bit in bin(k)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def uncompressed(point):
    return b"\4" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def kdf(z, length):
    out = b""
    for counter in range(1, -(-length // 32) + 1):
        out += sm3(z + counter.to_bytes(4, "big"))
    return out[:length]


def sm2_decrypt(d, ciphertext):
    """The plaintext of 04 || x || y || C3 || C2, or None."""
    c1 = int.from_bytes(ciphertext[1:33], "big"), int.from_bytes(ciphertext[33:65], "big")
    c3, c2 = ciphertext[65:97], ciphertext[97:]
    if ciphertext[0] != 4 or not on_curve(c1):
        return None
    shared = uncompressed(multiply(d, c1))[1:]
    plaintext = bytes(x ^ y for x, y in zip(c2, kdf(shared, len(c2))))
    if sm3(shared[:32] + plaintext + shared[32:]) != c3:
        return None
    return plaintext


# The container

MAGIC = b"\x8fSMSEAL\n"
CONTENT = 65536
SEALED = CONTENT + 16
LABEL = b"shangmi sealed file 1 "
MOST_ITERATIONS = 10_000_000
BEGIN = b"-----BEGIN SHANGMI SEALED FILE-----"
END = b"-----END SHANGMI SEALED FILE-----"


def unarmoured(text):
    """The binary form of a text between BEGIN and END."""
    lines = [line.removesuffix(b"\r") for line in text.strip(b" \t\r\n\f").split(b"\n")]
    if lines[0] != BEGIN or lines[-1] != END:
        raise Malformed("no BEGIN or no END line")
    body = lines[1:-1]
    if any(len(line) != 64 for line in body[:-1]) or (body and not 4 <= len(body[-1]) <= 64):
        raise Malformed("a line has not 64 characters")
    data = base64.b64decode(b"".join(body), validate=True)
    if base64.b64encode(data) != b"".join(body):
        raise Malformed("Base64 that nobody writes")
    return data


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        piece = self.data[self.at : self.at + length]
        if len(piece) < length:
            raise Malformed("the file ends inside its header")
        self.at += length
        return piece

    def number(self, length):
        return int.from_bytes(self.take(length), "big")


def key_from_sm2(stanzas, d):
    public = uncompressed(multiply(d, G))
    key_id = sm3(public)[:8]
    damaged = False
    for kind, body in stanzas:
        if kind == 1 and body[:8] in (key_id, bytes(8)):
            file_key = sm2_decrypt(d, body[8:])
            if file_key is not None:
                return file_key
            damaged |= body[:8] == key_id
    raise Refused("the header was changed" if damaged else "not for this key")


def key_from_passphrase(stanzas, passphrase):
    body = next((body for kind, body in stanzas if kind == 2), None)
    if body is None:
        raise Refused("not sealed with a passphrase")
    salt, iterations, masked, check = body[:16], int.from_bytes(body[16:20], "big"), body[20:52], body[52:]
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise Malformed(f"{iterations} iterations")
    label = LABEL + b"passphrase"
    okm = hkdf_expand(pbkdf2(passphrase, label + salt, iterations), label, 64)
    if Hmac(okm[32:])(body[:52]) != check:
        raise Refused("wrong passphrase")
    return bytes(x ^ y for x, y in zip(masked, okm))


class Sealed:
    """A sealed file whose header is authenticated."""

    def __init__(self, data, find_key):
        cursor = Cursor(data)
        if data[:8] != MAGIC:
            raise Malformed("not a sealed file")
        cursor.take(8)
        if cursor.number(1) != 1:
            raise Malformed("another version")
        count = cursor.number(1)
        if not 1 <= count <= 64:
            raise Malformed("the number of stanzas is not 1 to 64")
        stanzas = [self.stanza(cursor) for _ in range(count)]
        if [kind for kind, _ in stanzas].count(2) > 1:
            raise Malformed("two passphrases")
        salt = cursor.take(32)
        covered = data[: cursor.at]
        mac = cursor.take(32)
        prk = Hmac(salt)(find_key(stanzas))
        if Hmac(hkdf_expand(prk, LABEL + b"header", 32))(covered) != mac:
            raise Refused("the header was changed")
        okm = hkdf_expand(prk, LABEL + b"payload", 28)
        self.gcm, self.iv, self.payload = Gcm(okm[:16]), okm[16:], data[cursor.at :]
        self.count = max(1, -(-len(self.payload) // SEALED))

    @staticmethod
    def stanza(cursor):
        kind, length = cursor.number(2), cursor.number(2)
        if length > 4096 or length != {1: 137, 2: 84}.get(kind, length):
            raise Malformed("a stanza of a wrong length")
        return kind, cursor.take(length)

    def chunk(self, i):
        last = i == self.count - 1
        sealed = self.payload[i * SEALED : (i + 1) * SEALED]
        if len(sealed) < 16:
            raise Refused("the file was cut")
        nonce = bytes(7) + i.to_bytes(4, "big") + bytes([last])
        content = self.gcm.open(bytes(x ^ y for x, y in zip(nonce, self.iv)), sealed)
        if content is None:
            raise Refused(f"chunk {i} was changed, moved or cut")
        if not content and i > 0:
            raise Malformed("an empty chunk after others")
        return content

    def content(self):
        return b"".join(self.chunk(i) for i in range(self.count))

    def part(self, start, end):
        """Content bytes `start` to `end` - 1, from the last chunk and those that hold them."""
        last = self.chunk(self.count - 1)
        length = (self.count - 1) * CONTENT + len(last)
        if not start <= end <= length:
            raise Malformed(f"the content has {length} bytes")
        first, stop = start // CONTENT, -(-end // CONTENT)
        chunks = [last if i == self.count - 1 else self.chunk(i) for i in range(first, stop)]
        return b"".join(chunks)[start - first * CONTENT : end - first * CONTENT]


def check_arithmetic():
    """The standards' own examples: what is wrong below would blame the wrong one."""
    assert sm3(b"abc").hex() == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    key = bytes.fromhex("0123456789abcdeffedcba9876543210")
    assert Sm4(key).encrypt(int.from_bytes(key, "big")) == 0x681EDF34D206965E86B3E94F536E4246
    assert on_curve(G)


def read(file, key=None, passphrase=None, part=None):
    """The content of a file, or of a part of it."""
    with open(file, "rb") as opened:
        data = opened.read()
    if data[:1] in b"- \t\r\n":
        data = unarmoured(data)
    if key is not None:
        sealed = Sealed(data, lambda stanzas: key_from_sm2(stanzas, int(key, 16)))
    else:
        sealed = Sealed(data, lambda stanzas: key_from_passphrase(stanzas, passphrase.encode()))
    if part is None:
        return sealed.content()
    start, end = map(int, part.split(":"))
    return sealed.part(start, end)


def answer(**case):
    """The exit status, and the content or the reason."""
    try:
        return 0, read(**case)
    except Refused as error:
        return 1, f"refused: {error}"
    except (Malformed, ValueError) as error:
        return 2, f"malformed: {error}"


def batch():
    answers = []
    for case in json.load(sys.stdin):
        status, content = answer(
            file=case["file"], key=case.get("key"), passphrase=case.get("passphrase"), part=case.get("range")
        )
        answers.append({"exit": status, "content": content if status else content.hex()})
    json.dump(answers, sys.stdout)


def main():
    parser = argparse.ArgumentParser(description="Reads sealed files of version 1.")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--key", help="private key, hex digits")
    who.add_argument("--passphrase", help="text")
    who.add_argument("--batch", action="store_true", help="cases on standard input")
    parser.add_argument("--range", help="START:END, in content bytes")
    parser.add_argument("file", nargs="?")
    args = parser.parse_args()
    check_arithmetic()
    if args.batch:
        return batch()
    if args.file is None:
        parser.error("a file is needed")
    status, content = answer(file=args.file, key=args.key, passphrase=args.passphrase, part=args.range)
    if status:
        print(content, file=sys.stderr)
    else:
        sys.stdout.buffer.write(content)
    return status


if __name__ == "__main__":
    sys.exit(main())
