import { ModelFormatError } from '../errors.js';
import { MAX_ORDER, MIN_ORDER } from '../training/train-options.js';
import { crc32 } from './crc32.js';
import {
  ALIGNMENT,
  CHECKSUM_BYTES,
  type ElementWidth,
  FORMAT_VERSION,
  HEADER_BYTES,
  isSkippable,
  MAGIC,
  MAX_SECTIONS,
  SECTION_ENTRY_BYTES,
  SECTION_WIDTHS,
  type SectionName,
  SECTIONS,
  tag,
  TOKEN_TYPES,
} from './file-layout.js';

export interface ModelEnvelope {
  readonly order: number;
  readonly tokenType: (typeof TOKEN_TYPES)[number];
  readonly checksum: number;
  /** The sections of the file as views, whose elements have the width that the section table states. */
  readonly sections: ReadonlyMap<SectionName, Uint8Array | Uint16Array | Uint32Array>;
}

/**
 * Checks the header, the checksum and the section table.
 * @param bytes must start at a multiple of 8 in their buffer
 */
export function readEnvelope(bytes: Uint8Array): ModelEnvelope {
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) throw new ModelFormatError('the file is too short');
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new ModelFormatError('not an .ngram file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint16(8, true);
  if (version !== FORMAT_VERSION) {
    const advice = version > FORMAT_VERSION ? 'use a newer release' : 'train the model again';
    throw new ModelFormatError(
      `format version ${version} is not supported; this reader supports ${FORMAT_VERSION}: ${advice}`,
    );
  }
  const fileLength = view.getUint32(12, true);
  if (fileLength !== bytes.length) {
    throw new ModelFormatError(`the file has ${bytes.length} bytes, but its header gives ${fileLength}`);
  }
  const contentEnd = fileLength - CHECKSUM_BYTES;
  const checksum = view.getUint32(contentEnd, true);
  if (crc32(bytes, contentEnd) !== checksum) {
    throw new ModelFormatError('the checksum is wrong: the file is damaged');
  }
  const order = view.getUint8(10);
  if (order < MIN_ORDER || order > MAX_ORDER) throw new ModelFormatError(`order ${order} is out of range`);
  const tokenType = TOKEN_TYPES[view.getUint8(11)];
  if (tokenType === undefined) throw new ModelFormatError('the token type is unknown');
  return { order, tokenType, checksum, sections: readSections(bytes, view, contentEnd) };
}

function readSections(bytes: Uint8Array, view: DataView, contentEnd: number): ModelEnvelope['sections'] {
  const count = view.getUint32(16, true);
  let end = HEADER_BYTES + count * SECTION_ENTRY_BYTES;
  if (count > MAX_SECTIONS || end > contentEnd) {
    throw new ModelFormatError('the section table is out of range');
  }
  const sections = new Map<SectionName, Uint8Array | Uint16Array | Uint32Array>();
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
      throw new ModelFormatError(`section ${i} is of an unknown kind`);
    }
    if (name === undefined) continue;
    if (sections.has(name)) throw new ModelFormatError(`section ${name} occurs twice`);
    const width = (SECTION_WIDTHS[name] as readonly number[]).find(
      (known) => known === view.getUint32(entry + 12, true),
    );
    if (width === undefined) throw new ModelFormatError(`section ${name} has elements of an unknown width`);
    if (length % width !== 0) throw new ModelFormatError(`section ${name} is cut off`);
    sections.set(name, elements(bytes.subarray(offset, end), width as ElementWidth));
  }
  return sections;
}

function elements(content: Uint8Array, width: ElementWidth): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return content;
  const { buffer, byteOffset, length } = content;
  return width === 2
    ? new Uint16Array(buffer, byteOffset, length / 2)
    : new Uint32Array(buffer, byteOffset, length / 4);
}
