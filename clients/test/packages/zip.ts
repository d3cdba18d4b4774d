import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION_NEEDED = 20;
/** Bit 11: names are in UTF-8. */
const FLAGS = 0x0800;
/** 1980-01-01, the first date that the format has. */
const DATE = 0x0021;

/**
 * Builds a zip archive without compression. Supports files and archives below 4 GiB (PKWARE's APPNOTE,
 * sections 4.3.7, 4.3.12 and 4.3.16).
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const encoded = Buffer.from(name);
    const common = commonFields(encoded, content);
    const local = Buffer.concat([uint32(LOCAL_HEADER), common, encoded, content]);
    directory.push(uint32(CENTRAL_HEADER), uint16(VERSION_NEEDED), common);
    directory.push(Buffer.alloc(10), uint32(offset), encoded); // comment, disk and attributes are empty
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [uint32(END), Buffer.alloc(4), count, count, uint32(central.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, central, ...end]);
}

/** The fields that are equal in both headers of a file. */
function commonFields(name: Buffer, content: Buffer): Buffer {
  const size = uint32(content.length);
  const [stored, noTime, noExtra] = [uint16(0), uint16(0), uint16(0)];
  return Buffer.concat([
    ...[uint16(VERSION_NEEDED), uint16(FLAGS), stored, noTime, uint16(DATE)],
    ...[uint32(crc32(content)), size, size, uint16(name.length), noExtra],
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
