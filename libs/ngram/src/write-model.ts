import { crc32 } from './crc32.js';
import {
  aligned,
  CHECKSUM_BYTES,
  FORMAT_VERSION,
  HEADER_BYTES,
  KEY_CHECK_TEXT,
  MAGIC,
  ORIGINALS_HEADER_BYTES,
  requireLittleEndian,
  SECTION_ENTRY_BYTES,
  type SectionName,
  tag,
  TOKEN_TYPE_CHAR,
} from './file-layout.js';
import { Fingerprinter } from './fingerprint.js';
import type { ModelGraph } from './model-graph.js';
import { encodeMetadata, type ModelMetadata } from './model-metadata.js';

export interface ModelParts {
  readonly order: number;
  readonly metadata: ModelMetadata;
  readonly graph: ModelGraph;
  readonly originals:
    { readonly fingerprints: Uint32Array; readonly key: Uint8Array; readonly isKeyed: boolean } | undefined;
}

/** The bytes of a `.ngram` file; equal parts give equal bytes. See docs/formats/ngram.md. */
export function writeModel(parts: ModelParts): Uint8Array {
  requireLittleEndian();
  const { graph } = parts;
  const sections: [SectionName, Uint8Array][] = [
    ['META', encodeMetadata(parts.metadata)],
    ['SYMB', asBytes(graph.symbols)],
    ['STAT', asBytes(graph.firstEdge)],
    ['ESYM', asBytes(graph.edgeSymbol)],
    ['ETGT', asBytes(graph.edgeTarget)],
    ['ECUM', asBytes(graph.edgeCumulative)],
  ];
  if (parts.originals !== undefined) sections.push(['orig', encodeOriginals(parts.originals)]);

  let end = HEADER_BYTES + sections.length * SECTION_ENTRY_BYTES;
  const offsets = sections.map(([, content]) => {
    const offset = aligned(end);
    end = offset + content.length;
    return offset;
  });
  const fileLength = aligned(end) + CHECKSUM_BYTES;

  const bytes = new Uint8Array(fileLength);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC, 0);
  view.setUint16(8, FORMAT_VERSION, true);
  view.setUint8(10, parts.order);
  view.setUint8(11, TOKEN_TYPE_CHAR);
  view.setUint32(12, fileLength, true);
  view.setUint32(16, sections.length, true);
  sections.forEach(([name, content], i) => {
    const entry = HEADER_BYTES + i * SECTION_ENTRY_BYTES;
    const offset = offsets[i] as number;
    view.setUint32(entry, tag(name), true);
    view.setUint32(entry + 4, offset, true);
    view.setUint32(entry + 8, content.length, true);
    bytes.set(content, offset);
  });
  view.setUint32(fileLength - CHECKSUM_BYTES, crc32(bytes, fileLength - CHECKSUM_BYTES), true);
  return bytes;
}

function encodeOriginals(originals: NonNullable<ModelParts['originals']>): Uint8Array {
  const { fingerprints } = originals;
  const words = new Uint32Array(ORIGINALS_HEADER_BYTES / 4 + fingerprints.length);
  const check = keyCheck(new Fingerprinter(originals.key));
  words.set([originals.isKeyed ? 1 : 0, fingerprints.length / 2, check.high, check.low]);
  words.set(fingerprints, ORIGINALS_HEADER_BYTES / 4);
  return asBytes(words);
}

/** The fingerprint of a fixed text: equal only for equal keys. */
export function keyCheck(fingerprinter: Fingerprinter): { high: number; low: number } {
  const units = Uint16Array.from(KEY_CHECK_TEXT, (letter) => letter.charCodeAt(0));
  fingerprinter.ofUnits(units, units.length);
  return { high: fingerprinter.high, low: fingerprinter.low };
}

function asBytes(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
