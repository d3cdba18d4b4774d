import { crc32 } from './crc32.js';
import { ModelFormatError } from './errors.js';
import {
  ALIGNMENT,
  CHECKSUM_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  isSkippable,
  MAGIC,
  MAX_SECTIONS,
  SECTION_ENTRY_BYTES,
  type SectionName,
  SECTIONS,
  tag,
  TOKEN_TYPE_CHAR,
} from './file-layout.js';
import { MAX_ORDER, MIN_ORDER } from './train-options.js';

export interface ModelEnvelope {
  readonly order: number;
  readonly checksum: number;
  /** The bytes of each section that is there, views of the file. */
  readonly sections: ReadonlyMap<SectionName, Uint8Array>;
}

/**
 * Checks header, checksum and section table.
 * @param bytes starts at a multiple of 8 in its buffer
 */
export function readEnvelope(bytes: Uint8Array): ModelEnvelope {
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) throw new ModelFormatError('the file is too short');
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new ModelFormatError('not an .ngram file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint16(8, true);
  if (version !== FORMAT_VERSION) {
    throw new ModelFormatError(
      `format version ${version} is not supported; this reader knows ${FORMAT_VERSION}`,
    );
  }
  const fileLength = view.getUint32(12, true);
  if (fileLength !== bytes.length) {
    throw new ModelFormatError(`the file has ${bytes.length} bytes and says it has ${fileLength}`);
  }
  const contentEnd = fileLength - CHECKSUM_BYTES;
  const checksum = view.getUint32(contentEnd, true);
  if (crc32(bytes, contentEnd) !== checksum)
    throw new ModelFormatError('the checksum is wrong: the file is damaged');
  const order = view.getUint8(10);
  if (order < MIN_ORDER || order > MAX_ORDER) throw new ModelFormatError(`order ${order} is out of range`);
  if (view.getUint8(11) !== TOKEN_TYPE_CHAR) throw new ModelFormatError('the token type is not char');
  return { order, checksum, sections: readSections(bytes, view, contentEnd) };
}

function readSections(bytes: Uint8Array, view: DataView, contentEnd: number): Map<SectionName, Uint8Array> {
  const count = view.getUint32(16, true);
  let end = HEADER_BYTES + count * SECTION_ENTRY_BYTES;
  if (count > MAX_SECTIONS || end > contentEnd)
    throw new ModelFormatError('the section table is out of range');
  const sections = new Map<SectionName, Uint8Array>();
  for (let i = 0; i < count; i += 1) {
    const entry = HEADER_BYTES + i * SECTION_ENTRY_BYTES;
    const word = view.getUint32(entry, true);
    const offset = view.getUint32(entry + 4, true);
    const length = view.getUint32(entry + 8, true);
    if (offset % ALIGNMENT !== 0 || offset < end || offset + length > contentEnd) {
      throw new ModelFormatError(`section ${i} is out of range, out of order or not aligned`);
    }
    end = offset + length;
    const name = SECTIONS.find((known) => tag(known) === word);
    if (name === undefined && !isSkippable(word)) {
      throw new ModelFormatError(`section ${i} is of a kind this reader does not know`);
    }
    if (name === undefined) continue;
    if (sections.has(name)) throw new ModelFormatError(`section ${name} is there twice`);
    sections.set(name, bytes.subarray(offset, end));
  }
  return sections;
}
