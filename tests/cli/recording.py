"""A reader of recordings that owes nothing to the program's: docs/guide/recordings.md is all it knows."""
import json
import struct
import zlib


def read_recording(data):
    """Bytes -> (header, frames), dictionaries. Every checksum must be right."""
    assert data[:8] == b"\x89CRN\r\n\x1a\n"
    version, order, flags, bodies, dt, every, _, scene_size, list_size = struct.unpack_from("<IIIIdIIQQ", data, 8)
    assert (version, order) == (3, 0x01020304)
    lines = 64 + filled(scene_size)
    at = lines + filled(list_size)
    seal = zlib.crc32(data[64:at], zlib.crc32(data[:60]))
    assert struct.unpack_from("<I", data, 60)[0] == seal
    figures = [line.split() for line in data[lines:lines + list_size].decode().splitlines()]
    header = {"flags": flags, "bodies": bodies, "dt": dt, "every": every, "figures": figures,
              "scene": json.loads(data[64:64 + scene_size])}
    frames = []
    while data[at:at + 4] == b"FRME":
        frame, at = read_frame(data, at, len(frames), header, seal)
        frames.append(frame)
    assert data[at:at + 4] == b"ENDS" and len(data) == at + 24
    assert struct.unpack_from("<QI", data, at + 8) == (len(frames), zlib.crc32(data[at:at + 16], seal))
    return header, frames


def filled(size):
    """Up to a multiple of 8."""
    return (size + 7) // 8 * 8


def read_frame(data, at, expected, header, seal):
    """The frame at a place, and where the next one begins."""
    bodies, names = header["bodies"], [figure[0] for figure in header["figures"]]
    contacts, number, step, time = struct.unpack_from("<IQqd", data, at + 4)
    assert number == expected and data[at + 32:at + 60] == bytes(28)
    note_size = struct.unpack_from("<i", data, at + 60)[0]
    poses = at + 64 + 8 * len(names)
    first = poses + 56 * bodies
    note = first + 96 * contacts
    end = note + filled(note_size)
    assert struct.unpack_from("<II", data, end) == (zlib.crc32(data[at:end], seal), 0)
    return {"step": step, "time": time,
            "figures": dict(zip(names, struct.unpack_from(f"<{len(names)}d", data, at + 64))),
            "poses": [list(struct.unpack_from("<7d", data, poses + 56 * i)) for i in range(bodies)],
            "contacts": [struct.unpack_from("<4i10d", data, first + 96 * i) for i in range(contacts)],
            "note": json.loads(data[note:note + note_size]) if note_size else None}, end + 8
