"""Writes sm4_gcm.json: SM4-GCM by OpenSSL (3.2 or later) through the Python package `cryptography`."""
import json
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def painted(start, length):
    return bytes((start + i) % 251 for i in range(length))


rows = []
for i, length in enumerate([0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 1008, 1009, 1024, 2000]):
    key, nonce, aad = painted(i, 16), painted(2 * i, 8 + i % 9), painted(3 * i, (7 * i) % 40)
    encryptor = Cipher(algorithms.SM4(key), modes.GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(aad)
    ciphertext = encryptor.update(painted(5 * i, length)) + encryptor.finalize()
    rows.append(
        {
            "key": key.hex(),
            "nonce": nonce.hex(),
            "aad": aad.hex(),
            "start": 5 * i,
            "length": length,
            "ciphertext": ciphertext.hex(),
            "tag": encryptor.tag.hex(),
        }
    )
text = json.dumps(rows, indent=2)
Path(__file__).with_name("sm4_gcm.json").write_text(text + "\n")
