const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32 of `bytes[0, end)` as zlib, PNG and gzip compute it (reflected, polynomial 0xEDB88320); unsigned. */
export function crc32(bytes: Uint8Array, end: number): number {
  let crc = 0xffffffff;
  for (let i = 0; i < end; i += 1) {
    crc = (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
