const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CHECKSUM_BYTES = 2;

/**
 * Encodes a key in the text form of NATS, which is base 32 of a prefix, the key and a CRC-16. The library
 * does not export its encoder. Its exported functions first derive the whole key pair in JavaScript, which is
 * slow.
 */
export function encodeKeyText(prefix: number, key: Uint8Array): Uint8Array {
  const raw = new Uint8Array(1 + key.length + CHECKSUM_BYTES);
  raw[0] = prefix;
  raw.set(key, 1);
  const end = raw.length - CHECKSUM_BYTES;
  new DataView(raw.buffer).setUint16(end, crc16(raw.subarray(0, end)), true);
  return toBase32(raw);
}

/** Decodes a key's text and drops the checksum. The library must already have checked the text. */
export function rawOfKeyText(text: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text) {
    held = (held << 5) | ALPHABET.indexOf(String.fromCharCode(char));
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes.slice(0, -CHECKSUM_BYTES));
}

function toBase32(bytes: Uint8Array): Uint8Array {
  const text: number[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5;) {
      bits -= 5;
      text.push(ALPHABET.charCodeAt((held >> bits) & 31));
    }
    held &= (1 << bits) - 1;
  }
  if (bits > 0) text.push(ALPHABET.charCodeAt((held << (5 - bits)) & 31));
  return Uint8Array.from(text);
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
