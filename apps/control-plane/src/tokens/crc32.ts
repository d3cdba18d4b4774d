const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 as in zip and PNG (ISO-HDLC). `zlib.crc32` does not exist on all Node versions this runs on. */
export function crc32(bytes: Uint8Array): number {
  let state = 0xffffffff;
  for (const byte of bytes) state = (state >>> 8) ^ (TABLE[(state ^ byte) & 0xff] ?? 0);
  return (state ^ 0xffffffff) >>> 0;
}
