import type { Alphabet } from '../model/alphabet.js';
import { Fingerprinter } from '../model/fingerprint.js';
import type { ModelGraph } from '../model/model-graph.js';
import { encodeMetadata, type ModelMetadata } from '../model/model-metadata.js';
import type { ModelStatistics } from '../model/ngram-model.js';
import type { OriginalValues } from '../model/originals.js';
import { crc32 } from './crc32.js';
import {
  aligned,
  CHECKSUM_BYTES,
  FINGERPRINTS_HEADER_WORDS,
  FORMAT_VERSION,
  HEADER_BYTES,
  KEY_CHECK_TEXT,
  MAGIC,
  requireLittleEndian,
  SECTION_ENTRY_BYTES,
  type SectionName,
  SECTIONS,
  tag,
  TOKEN_TYPES,
  VALUES_HEADER_WORDS,
} from './file-layout.js';

export interface ModelParts {
  readonly order: number;
  readonly metadata: ModelMetadata;
  readonly alphabet: Alphabet;
  readonly graph: ModelGraph;
  readonly statistics: ModelStatistics;
  readonly originals: FingerprintParts | OriginalValues | undefined;
}

export interface FingerprintParts {
  readonly kind: 'fingerprints';
  /** The fingerprints in ascending order, each as a pair (high, low) of 32-bit words. */
  readonly pairs: Uint32Array;
  readonly key: Uint8Array;
  readonly isKeyed: boolean;
}

/** Returns the bytes of a `.ngram` file. Equal parts give equal bytes. See docs/reference/ngram-format.md. */
export function writeModel(parts: ModelParts): Uint8Array {
  requireLittleEndian();
  const contents = sectionContents(parts);
  const sections = SECTIONS.flatMap((name) => {
    const content = contents[name];
    return content === undefined ? [] : [{ name, content }];
  });

  let end = HEADER_BYTES + sections.length * SECTION_ENTRY_BYTES;
  const offsets = sections.map(({ content }) => {
    const offset = aligned(end);
    end = offset + content.byteLength;
    return offset;
  });
  const fileLength = aligned(end) + CHECKSUM_BYTES;

  const bytes = new Uint8Array(fileLength);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC, 0);
  view.setUint16(8, FORMAT_VERSION, true);
  view.setUint8(10, parts.order);
  view.setUint8(11, TOKEN_TYPES.indexOf(parts.alphabet.tokenType));
  view.setUint32(12, fileLength, true);
  view.setUint32(16, sections.length, true);
  sections.forEach(({ name, content }, i) => {
    const entry = HEADER_BYTES + i * SECTION_ENTRY_BYTES;
    const offset = offsets[i] as number;
    view.setUint32(entry, tag(name), true);
    view.setUint32(entry + 4, offset, true);
    view.setUint32(entry + 8, content.byteLength, true);
    view.setUint32(entry + 12, content.BYTES_PER_ELEMENT, true);
    bytes.set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength), offset);
  });
  view.setUint32(fileLength - CHECKSUM_BYTES, crc32(bytes, fileLength - CHECKSUM_BYTES), true);
  return bytes;
}

type Content = Uint8Array | Uint16Array | Uint32Array;

function sectionContents(parts: ModelParts): Partial<Record<SectionName, Content>> {
  const { alphabet, graph, statistics, originals } = parts;
  return {
    META: encodeMetadata(parts.metadata),
    ...(alphabet.tokenType === 'char'
      ? { SYMB: alphabet.points }
      : { WOFF: alphabet.words.offsets, WORD: alphabet.words.bytes }),
    STAT: graph.firstEdge,
    ESYM: graph.edgeSymbol,
    ETGT: graph.edgeTarget,
    ECUM: graph.edgeCumulative,
    lens: statistics.lengths.pairs,
    ...(statistics.sentenceWords && { sent: statistics.sentenceWords.pairs }),
    ...(statistics.paragraphSentences && { para: statistics.paragraphSentences.pairs }),
    ...(originals?.kind === 'fingerprints' && { orig: fingerprintWords(originals) }),
    ...(originals?.kind === 'values' && { vals: valueWords(originals) }),
  };
}

function fingerprintWords({ pairs, key, isKeyed }: FingerprintParts): Uint32Array {
  const words = new Uint32Array(FINGERPRINTS_HEADER_WORDS + pairs.length);
  const check = keyCheck(new Fingerprinter(key));
  words.set([isKeyed ? 1 : 0, pairs.length / 2, check.high, check.low]);
  words.set(pairs, FINGERPRINTS_HEADER_WORDS);
  return words;
}

/**
 * Returns section `vals`: the number of texts, their total size in bytes, cumulative counts, offsets, the
 * texts in UTF-8, and zeros up to a multiple of 4 bytes.
 */
function valueWords({ texts, cumulative }: OriginalValues): Uint32Array {
  const { offsets, bytes } = texts;
  const textStart = VALUES_HEADER_WORDS + cumulative.length + offsets.length;
  const words = new Uint32Array(textStart + Math.ceil(bytes.length / 4));
  words.set([cumulative.length, bytes.length]);
  words.set(cumulative, VALUES_HEADER_WORDS);
  words.set(offsets, VALUES_HEADER_WORDS + cumulative.length);
  new Uint8Array(words.buffer).set(bytes, textStart * 4);
  return words;
}

/** Returns the fingerprint of `KEY_CHECK_TEXT`. It differs for different keys. */
export function keyCheck(fingerprinter: Fingerprinter): { high: number; low: number } {
  const units = Uint16Array.from(KEY_CHECK_TEXT, (letter) => letter.charCodeAt(0));
  fingerprinter.ofUnits(units, units.length);
  return { high: fingerprinter.high, low: fingerprinter.low };
}
