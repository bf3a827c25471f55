#!/usr/bin/env python3
"""Writes sm3_*.json beside this file.

Digests, HMAC and PBKDF2 come from Python's hashlib and hmac (which call libcrypto), HKDF and SM2's
KDF from the command `openssl kdf`. Needs OpenSSL 3.0 or later with SM3.
"""
import hashlib
import hmac
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent


def painted(length, start=0):
    """Bytes that repeat with period 251, no divisor of a block."""
    return bytes((start + i) % 251 for i in range(length))


def openssl_kdf(name, length, **options):
    """Asks `openssl kdf`; an option with the value None is left out."""
    command = ["openssl", "kdf", "-keylen", str(length), "-kdfopt", "digest:SM3", "-binary"]
    for option, value in options.items():
        if value:
            command += ["-kdfopt", f"hex{option}:{value.hex()}"]
    if name == "HKDF":
        command += ["-kdfopt", "mode:EXTRACT_AND_EXPAND"]
    return subprocess.run([*command, name], check=True, capture_output=True).stdout


def digests():
    for length in [*range(0, 301), 1000, 4096, 100_003]:
        yield {"length": length, "digest": hashlib.new("sm3", painted(length)).hexdigest()}


def hmacs():
    lengths = [0, 1, 31, 32, 33, 54, 55, 56, 63, 64, 65, 119, 120, 128, 200]
    for key in lengths:
        for message in lengths:
            tag = hmac.new(painted(key, 7), painted(message), "sm3").hexdigest()
            yield {"key": painted(key, 7).hex(), "message": painted(message).hex(), "tag": tag}


def hkdfs():
    shapes = [(22, 13, 10, 42), (80, 80, 80, 82), (22, 0, 0, 42), (32, 65, 55, 32), (1, 64, 200, 8160)]
    for ikm, salt, info, length in shapes:
        ikm, salt, info = painted(ikm, 11), painted(salt), painted(info, 240)
        okm = openssl_kdf("HKDF", length, key=ikm, salt=salt, info=info)
        yield {"ikm": ikm.hex(), "salt": salt.hex(), "info": info.hex(), "okm": okm.hex()}


def pbkdf2s():
    shapes = [(8, 8, 1, 32), (8, 16, 2, 1), (0, 16, 3, 64), (64, 0, 10, 65), (65, 55, 1000, 33), (200, 130, 4096, 100)]
    for password, salt, iterations, length in shapes:
        password, salt = painted(password, 97), painted(salt)
        key = hashlib.pbkdf2_hmac("sm3", password, salt, iterations, length)
        yield {"password": password.hex(), "salt": salt.hex(), "iterations": iterations, "key": key.hex()}


def kdfs():
    for z in [1, 32, 50, 51, 52, 59, 60, 61, 63, 64, 65, 115, 116, 128]:
        for length in [1, 31, 32, 33, 64, 200]:
            output = openssl_kdf("X963KDF", length, key=painted(z, 3))
            yield {"z": painted(z, 3).hex(), "output": output.hex()}


for name, make in [("digest", digests), ("hmac", hmacs), ("hkdf", hkdfs), ("pbkdf2", pbkdf2s), ("kdf", kdfs)]:
    rows = ",\n".join(json.dumps(row) for row in make())
    (HERE / f"sm3_{name}.json").write_text(f"[\n{rows}\n]\n")
