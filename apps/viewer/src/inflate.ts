// The recording out of the page: base64 text of deflated bytes.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes that the element holds. Text that is cut gives the bytes before the cut. */
export async function decodeRecordingElement(element: HTMLElement): Promise<ArrayBuffer> {
  const encoding = element.dataset.encoding ?? "";
  if (encoding !== "deflate-base64") throw new Error(`The page holds its recording as "${encoding}", which it cannot read.`);
  return inflate(decodeBase64(element.textContent ?? ""));
}

/** Everything but the 64 digits is skipped: line ends, and the "=" that fill up the end. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const values = new Int16Array(128).fill(-1);
  for (let i = 0; i < 64; ++i) values[DIGITS.charCodeAt(i)] = i;
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 3);
  let count = 0, bits = 0, pending = 0;
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i), value = code < 128 ? values[code] : -1;
    if (value < 0) continue;
    pending = (pending << 6 | value) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = pending >> bits & 255;
    }
  }
  return bytes.slice(0, count);
}

/** The bytes of a zlib stream; as many as can be had if it is cut or damaged. */
export async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old for the page: it cannot unpack recordings.");
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
    }
  } catch {
    if (size === 0) throw new Error("The recording in this page is damaged: it cannot be unpacked.");
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}
