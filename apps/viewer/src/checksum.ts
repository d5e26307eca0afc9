// CRC-32 as in zlib and PNG, four bytes at a time.

/** tables[k * 256 + b]: what byte b does to the sum when k more zero bytes follow it. */
const tables = makeTables();

function makeTables(): Uint32Array {
  const made = new Uint32Array(4 * 256);
  for (let b = 0; b < 256; ++b) {
    let sum = b;
    for (let bit = 0; bit < 8; ++bit) sum = sum & 1 ? (sum >>> 1) ^ 0xEDB88320 : sum >>> 1;
    made[b] = sum;
  }
  for (let i = 256; i < made.length; ++i) {
    const before = made[i - 256];
    made[i] = (before >>> 8) ^ made[before & 255];
  }
  return made;
}

/** The checksum of words[first .. end), little-endian, continued from that of what came before (0: nothing). */
export function checksum(words: Int32Array, first: number, end: number, before = 0): number {
  let sum = ~before;
  for (let i = first; i < end; ++i) {
    sum ^= words[i];
    sum = tables[768 + (sum & 255)] ^ tables[512 + ((sum >>> 8) & 255)] ^ tables[256 + ((sum >>> 16) & 255)] ^ tables[sum >>> 24];
  }
  return ~sum >>> 0;
}
