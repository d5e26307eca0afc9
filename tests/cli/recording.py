"""A reader of recordings that owes nothing to the program's: docs/guide/recordings.md is all it knows."""
import json
import struct
import zlib


def read_recording(data):
    """Bytes -> (header, frames), dictionaries. Every checksum must be right."""
    assert data[:8] == b"\x89CRN\r\n\x1a\n"
    version, order, flags, bodies, dt, every, _, scene_size = struct.unpack_from("<IIIIdIIQ", data, 8)
    assert (version, order) == (2, 0x01020304)
    at = 64 + (scene_size + 7) // 8 * 8
    seal = zlib.crc32(data[64:at], zlib.crc32(data[:60]))
    assert struct.unpack_from("<I", data, 60)[0] == seal
    header = {"flags": flags, "bodies": bodies, "dt": dt, "every": every,
              "scene": json.loads(data[64:64 + scene_size])}
    frames = []
    while data[at:at + 4] == b"FRME":
        frame, at = read_frame(data, at, len(frames), bodies, seal)
        frames.append(frame)
    assert data[at:at + 4] == b"ENDS" and len(data) == at + 24
    assert struct.unpack_from("<QI", data, at + 8) == (len(frames), zlib.crc32(data[at:at + 16], seal))
    return header, frames


def read_frame(data, at, expected, bodies, seal):
    """The frame at a place, and where the next one begins."""
    contacts, number, step, time = struct.unpack_from("<IQqd", data, at + 4)
    assert number == expected
    ints = struct.unpack_from("<8i", data, at + 32)
    first = at + 128 + 56 * bodies
    note = first + 96 * contacts
    end = note + (ints[7] + 7) // 8 * 8
    assert struct.unpack_from("<II", data, end) == (zlib.crc32(data[at:end], seal), 0)
    return {"step": step, "time": time, "ints": ints, "reals": struct.unpack_from("<8d", data, at + 64),
            "poses": [list(struct.unpack_from("<7d", data, at + 128 + 56 * i)) for i in range(bodies)],
            "contacts": [struct.unpack_from("<4i10d", data, first + 96 * i) for i in range(contacts)],
            "note": json.loads(data[note:note + ints[7]]) if ints[7] else None}, end + 8
