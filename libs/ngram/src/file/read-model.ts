import { ModelFormatError } from '../errors.js';
import { type Alphabet, CharAlphabet, WordAlphabet } from '../model/alphabet.js';
import { Fingerprinter, PUBLIC_FINGERPRINT_KEY } from '../model/fingerprint.js';
import { Histogram } from '../model/histogram.js';
import type { ModelGraph } from '../model/model-graph.js';
import { decodeMetadata } from '../model/model-metadata.js';
import type { NgramModel } from '../model/ngram-model.js';
import { OriginalFingerprints, OriginalValues } from '../model/originals.js';
import { SortedTexts } from '../model/sorted-texts.js';
import { checkGraph } from './check-graph.js';
import { checkHistogram, checkTexts } from './check-sections.js';
import {
  ALIGNMENT,
  FINGERPRINTS_HEADER_WORDS,
  requireLittleEndian,
  type SectionName,
  VALUES_HEADER_WORDS,
} from './file-layout.js';
import { type ModelEnvelope, readEnvelope } from './section-table.js';
import { keyCheck, writeModel } from './write-model.js';

export interface ReadOptions {
  /** The 16-byte key with which the originals were fingerprinted, if it was not the public key. */
  readonly fingerprintKey?: Uint8Array;
}

/**
 * Reads a `.ngram` file. The model's arrays are views of `bytes`, which must not change afterwards. Copies
 * `bytes` first if it does not start at a multiple of 8 in its buffer. Checking needs less additional memory
 * than the file's size.
 * @throws ModelFormatError if the bytes are not a valid file
 */
export function readModel(bytes: Uint8Array, options: ReadOptions = {}): NgramModel {
  requireLittleEndian();
  const file = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const envelope = readEnvelope(file);
  const metadata = decodeMetadata(required(envelope, 'META') as Uint8Array);
  const alphabet = readAlphabet(envelope);
  const graph: ModelGraph = {
    firstEdge: words(envelope, 'STAT'),
    edgeSymbol: required(envelope, 'ESYM'),
    edgeTarget: required(envelope, 'ETGT'),
    edgeCumulative: required(envelope, 'ECUM'),
  };
  checkGraph(graph, alphabet.size);
  return Object.freeze({
    ...metadata,
    order: envelope.order,
    tokenType: envelope.tokenType,
    tokenCount: alphabet.size,
    ngramCount: graph.edgeSymbol.length,
    stateCount: graph.firstEdge.length - 1,
    byteLength: file.length,
    checksum: envelope.checksum.toString(16).padStart(8, '0'),
    graph: Object.freeze(graph),
    alphabet,
    statistics: Object.freeze({
      lengths: readHistogram(envelope, 'lens') ?? new Histogram(new Uint32Array()),
      sentenceWords: readHistogram(envelope, 'sent'),
      paragraphSentences: readHistogram(envelope, 'para'),
    }),
    originals: readOriginals(envelope, options),
  });
}

function readAlphabet(envelope: ModelEnvelope): Alphabet {
  if (envelope.tokenType === 'word') {
    const texts = new SortedTexts(words(envelope, 'WOFF'), required(envelope, 'WORD') as Uint8Array);
    checkTexts(texts, 'WORD');
    if (texts.bytes.includes(0x20)) throw new ModelFormatError('section WORD: a word contains a space');
    return new WordAlphabet(texts);
  }
  const points = words(envelope, 'SYMB');
  let previous = -1;
  for (const point of points) {
    if (point <= previous) throw new ModelFormatError('symbols are not in ascending order');
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      throw new ModelFormatError('a symbol is not a Unicode scalar value');
    }
    previous = point;
  }
  return new CharAlphabet(points);
}

function readHistogram(envelope: ModelEnvelope, name: 'lens' | 'sent' | 'para'): Histogram | undefined {
  const pairs = envelope.sections.get(name) as Uint32Array | undefined;
  if (pairs === undefined || pairs.length === 0) return undefined;
  checkHistogram(pairs, name);
  return new Histogram(pairs);
}

function readOriginals(envelope: ModelEnvelope, options: ReadOptions): NgramModel['originals'] {
  const { sections } = envelope;
  if (sections.has('vals')) {
    if (sections.has('orig')) throw new ModelFormatError('sections orig and vals exclude each other');
    return readValues(words(envelope, 'vals'));
  }
  return sections.has('orig') ? readFingerprints(words(envelope, 'orig'), options) : 'none';
}

function readFingerprints(content: Uint32Array, options: ReadOptions): OriginalFingerprints | 'locked' {
  const [isKeyed, count, high, low] = content;
  if (count === undefined || low === undefined || content.length !== FINGERPRINTS_HEADER_WORDS + count * 2) {
    throw new ModelFormatError('section orig: its length does not match its count');
  }
  if (isKeyed !== 0 && isKeyed !== 1) throw new ModelFormatError('section orig: unknown kind');
  const pairs = content.subarray(FINGERPRINTS_HEADER_WORDS);
  checkAscending(pairs);
  const key = isKeyed === 0 ? PUBLIC_FINGERPRINT_KEY : options.fingerprintKey;
  if (key === undefined) return 'locked';
  const fingerprinter = new Fingerprinter(key);
  const check = keyCheck(fingerprinter);
  if (check.high !== high || check.low !== low) {
    throw new ModelFormatError('section orig: the fingerprints were created with another key');
  }
  return new OriginalFingerprints(pairs, fingerprinter);
}

function checkAscending(pairs: Uint32Array): void {
  for (let i = 2; i < pairs.length; i += 2) {
    const high = pairs[i] as number;
    const before = pairs[i - 2] as number;
    if (high < before || (high === before && (pairs[i + 1] as number) <= (pairs[i - 1] as number))) {
      throw new ModelFormatError('section orig: fingerprints are not ascending');
    }
  }
}

function readValues(content: Uint32Array): OriginalValues {
  const [count, textBytes] = content;
  const textStart = VALUES_HEADER_WORDS + (count ?? 0) * 2 + 1;
  if (
    count === undefined ||
    textBytes === undefined ||
    textStart + Math.ceil(textBytes / 4) !== content.length
  ) {
    throw new ModelFormatError('section vals: its length does not match its counts');
  }
  const cumulative = content.subarray(VALUES_HEADER_WORDS, VALUES_HEADER_WORDS + count);
  for (let i = 0; i < count; i += 1) {
    if ((cumulative[i] as number) <= (i === 0 ? 0 : (cumulative[i - 1] as number))) {
      throw new ModelFormatError('section vals: counts are not ascending');
    }
  }
  const offsets = content.subarray(VALUES_HEADER_WORDS + count, textStart);
  const texts = new SortedTexts(
    offsets,
    new Uint8Array(content.buffer, content.byteOffset + textStart * 4, textBytes),
  );
  checkTexts(texts, 'vals');
  return new OriginalValues(texts, cumulative);
}

function required(envelope: ModelEnvelope, name: SectionName): Uint8Array | Uint16Array | Uint32Array {
  const content = envelope.sections.get(name);
  if (content === undefined) throw new ModelFormatError(`section ${name} is missing`);
  return content;
}

/** Returns a section whose elements have four bytes. */
function words(envelope: ModelEnvelope, name: SectionName): Uint32Array {
  return required(envelope, name) as Uint32Array;
}

/**
 * Returns a copy of the model for export, without its training values and their fingerprints. The copy
 * generates the same words, but refuses `exclude_originals` and `real_word`. Sections that this version does
 * not support are left out too.
 * @throws ModelFormatError if the bytes are not a valid file
 */
export function stripOriginals(bytes: Uint8Array): Uint8Array {
  const model = readModel(bytes);
  const { order, alphabet, graph, statistics } = model;
  const metadata = { ...model, modes: model.modes.filter((mode) => mode !== 'real_word') };
  return writeModel({ order, metadata, alphabet, graph, statistics, originals: undefined });
}
