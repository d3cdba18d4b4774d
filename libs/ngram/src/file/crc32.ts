/** Table k processes a byte that is followed by k zero bytes: "slicing-by-8" (Kounavis and Berry, 2005). */
const TABLES = makeTables();

/**
 * Computes the CRC-32 of `bytes[0, end)` like zlib, PNG and gzip (reflected, polynomial 0xEDB88320). The
 * result is unsigned.
 */
export function crc32(bytes: Uint8Array, end: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  let crc = 0xffffffff;
  let i = 0;
  for (; i + 8 <= end; i += 8) {
    crc ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    crc =
      (t7[crc & 0xff] as number) ^
      (t6[(crc >>> 8) & 0xff] as number) ^
      (t5[(crc >>> 16) & 0xff] as number) ^
      (t4[crc >>> 24] as number) ^
      (t3[bytes[i + 4] as number] as number) ^
      (t2[bytes[i + 5] as number] as number) ^
      (t1[bytes[i + 6] as number] as number) ^
      (t0[bytes[i + 7] as number] as number);
  }
  for (; i < end; i += 1) crc = (t0[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

type Tables = [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function makeTables(): Tables {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  const tables = [first];
  for (let k = 1; k < 8; k += 1) {
    const before = tables[k - 1] as Int32Array;
    tables.push(before.map((crc) => (first[crc & 0xff] as number) ^ (crc >>> 8)));
  }
  return tables as Tables;
}
