"""The picture: a PNG whose parts have right checksums."""

import struct
import zlib

from qeframe_competitions.bar_picture import default_logo


def test_the_chunks_are_those_of_a_picture():
    content = default_logo()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert content[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + body))
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert (width, height, depth, color, len(pixels)) == (128, 128, 8, 2, 128 * (1 + 3 * 128))
    assert default_logo() == content
