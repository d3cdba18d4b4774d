import { checkGraph } from './check-graph.js';
import { ModelFormatError } from './errors.js';
import { ALIGNMENT, ORIGINALS_HEADER_BYTES, requireLittleEndian, type SectionName } from './file-layout.js';
import { Fingerprinter, PUBLIC_FINGERPRINT_KEY } from './fingerprint.js';
import type { ModelGraph } from './model-graph.js';
import { decodeMetadata } from './model-metadata.js';
import type { NgramModel } from './ngram-model.js';
import { Originals } from './originals.js';
import { type ModelEnvelope, readEnvelope } from './section-table.js';
import { keyCheck } from './write-model.js';

export interface ReadOptions {
  /** The 16 bytes that the model's originals were fingerprinted under, if that was a key of one's own. */
  readonly fingerprintKey?: Uint8Array;
}

/**
 * Reads a `.ngram` file without copying it: the model's arrays are views of `bytes`, which must not change
 * afterwards (bytes that do not start at a multiple of 8 in their buffer are copied once).
 * @throws ModelFormatError for anything but a valid file; memory beyond the file stays below its size
 */
export function readModel(bytes: Uint8Array, options: ReadOptions = {}): NgramModel {
  requireLittleEndian();
  const file = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const envelope = readEnvelope(file);
  const metadata = decodeMetadata(required(envelope, 'META'));
  const graph: ModelGraph = {
    symbols: words(envelope, 'SYMB'),
    firstEdge: words(envelope, 'STAT'),
    edgeSymbol: halfWords(envelope, 'ESYM'),
    edgeTarget: words(envelope, 'ETGT'),
    edgeCumulative: words(envelope, 'ECUM'),
  };
  checkGraph(graph);
  return Object.freeze({
    ...metadata,
    order: envelope.order,
    tokenType: 'char',
    tokenCount: graph.symbols.length,
    ngramCount: graph.edgeSymbol.length,
    stateCount: graph.firstEdge.length - 1,
    byteLength: file.length,
    checksum: envelope.checksum.toString(16).padStart(8, '0'),
    graph: Object.freeze(graph),
    originals: readOriginals(envelope, options),
  });
}

function readOriginals(envelope: ModelEnvelope, options: ReadOptions): NgramModel['originals'] {
  if (!envelope.sections.has('orig')) return 'none';
  const content = words(envelope, 'orig');
  const [isKeyed, count, high, low] = content;
  if (count === undefined || low === undefined || content.length !== ORIGINALS_HEADER_BYTES / 4 + count * 2) {
    throw new ModelFormatError('section orig: its length does not fit its count');
  }
  if (isKeyed !== 0 && isKeyed !== 1) throw new ModelFormatError('section orig: unknown kind');
  const pairs = content.subarray(ORIGINALS_HEADER_BYTES / 4);
  checkAscending(pairs);
  const key = isKeyed === 0 ? PUBLIC_FINGERPRINT_KEY : options.fingerprintKey;
  if (key === undefined) return 'locked';
  const fingerprinter = new Fingerprinter(key);
  const check = keyCheck(fingerprinter);
  if (check.high !== high || check.low !== low) {
    throw new ModelFormatError('section orig: the fingerprints were made under another key');
  }
  return new Originals(pairs, fingerprinter);
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

function required(envelope: ModelEnvelope, name: SectionName): Uint8Array {
  const content = envelope.sections.get(name);
  if (content === undefined) throw new ModelFormatError(`section ${name} is missing`);
  return content;
}

function words(envelope: ModelEnvelope, name: SectionName): Uint32Array {
  const content = required(envelope, name);
  if (content.length % 4 !== 0) throw new ModelFormatError(`section ${name} is cut off`);
  return new Uint32Array(content.buffer, content.byteOffset, content.length / 4);
}

function halfWords(envelope: ModelEnvelope, name: SectionName): Uint16Array {
  const content = required(envelope, name);
  if (content.length % 2 !== 0) throw new ModelFormatError(`section ${name} is cut off`);
  return new Uint16Array(content.buffer, content.byteOffset, content.length / 2);
}
