import type { ByteSink } from '@understudy/bytes';
import { putUuidV4, utf8Bytes, UUID_LENGTH } from '@understudy/random';
import type { Draws, Names } from './compile.js';
import { renderText } from '../values/render-text.js';
import type { Node } from '../parse/syntax-tree.js';

/**
 * The texts of slots as UTF-8. The text of a slot is `sinks[slot].bytes[starts[slot], ends[slot])`; it is
 * empty for NULL.
 */
export interface SlotTexts {
  readonly sinks: readonly ByteSink[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Appends the text of an expression as UTF-8. The text is the same as that of the expression's closure, but
 * no JavaScript string is created. Only literals, names and calls of uuid, lowercase, uppercase and substring
 * have writers.
 * @returns false if only the closure can produce the text. The caller must then remove the appended bytes
 */
export type TextWriter = (texts: SlotTexts, draws: Draws, out: ByteSink) => boolean;

/**
 * The length in bytes of the longest slot text that a writer copies. Writers do not count their work against
 * `LIMITS.work`, because `MAX_WRITERS` texts of this length are far below that limit.
 */
const MAX_PART_BYTES = 4096;
export const MAX_WRITERS = 16;

/**
 * Returns the writer of a node.
 * @param siteOf returns the site of a random function's call from its position in the source
 * @returns undefined for nodes that have no writer
 */
export function textWriter(node: Node, names: Names, siteOf: (at: number) => number): TextWriter | undefined {
  if (node.kind === 'literal') return constantWriter(renderText(node.value));
  const slot = node.kind === 'name' ? names.get(node.name) : undefined;
  if (slot !== undefined) return slotWriter(slot);
  if (node.kind === 'name') return node.name === 'uuid' ? uuidWriter(siteOf(node.at)) : undefined;
  if (node.kind !== 'call') return undefined;
  if (node.name === 'uuid') return uuidWriter(siteOf(node.at));
  const [first, ...rest] = node.args;
  // Except for `uuid`, an argument may not be a call. Nested calls would process a text several times, and
  // only closures count that work.
  if (first === undefined || (first.kind === 'call' && first.name !== 'uuid')) return undefined;
  const of = textWriter(first, names, siteOf);
  if (of === undefined) return undefined;
  if (node.name === 'lowercase') return casedWriter(of, UPPER_A, CASE_BIT);
  if (node.name === 'uppercase') return casedWriter(of, LOWER_A, -CASE_BIT);
  return node.name === 'substring' ? substringWriter(of, rest) : undefined;
}

/**
 * Returns a writer for a fixed text.
 * @returns undefined if UTF-8 cannot encode the text, or if the text contains NUL, which PostgreSQL rejects
 */
export function constantWriter(text: string): TextWriter | undefined {
  if (!/^[^\0\ud800-\udfff]*$/u.test(text)) return undefined;
  const bytes = utf8Bytes(text);
  return (_texts, _draws, out) => {
    out.write(bytes, 0, bytes.length);
    return true;
  };
}

function slotWriter(slot: number): TextWriter {
  return ({ sinks, starts, ends }, _draws, out) => {
    const start = starts[slot] as number;
    const end = ends[slot] as number;
    if (end - start > MAX_PART_BYTES) return false;
    out.reserve(end - start);
    // `bytes` is read after `reserve`, which may have replaced the buffer.
    out.write((sinks[slot] as ByteSink).bytes, start, end);
    return true;
  };
}

function uuidWriter(site: number): TextWriter {
  return (_texts, draws, out) => {
    out.reserve(UUID_LENGTH);
    putUuidV4(draws.stream(site), out.bytes, out.length);
    out.length += UUID_LENGTH;
    return true;
  };
}

const UPPER_A = 0x41;
const LOWER_A = 0x61;
const CASE_BIT = 0x20;

/**
 * Returns a writer that adds `shift` to each of the 26 ASCII letters that start at `first`. The writer
 * returns false for text that is not ASCII, because the case of other letters depends on Unicode tables.
 */
function casedWriter(of: TextWriter, first: number, shift: number): TextWriter {
  return (texts, draws, out) => {
    const from = out.length;
    if (!of(texts, draws, out)) return false;
    const { bytes, length } = out;
    for (let i = from; i < length; i += 1) {
      const byte = bytes[i] as number;
      if (byte > 0x7f) return false;
      if (byte >= first && byte < first + 26) bytes[i] = byte + shift;
    }
    return true;
  };
}

/** Returns a writer for a substring whose bounds are literals, or undefined for other arguments. */
function substringWriter(of: TextWriter, [start, end, ...more]: readonly Node[]): TextWriter | undefined {
  const first = placeOf(start);
  const last = placeOf(end);
  if (first === undefined || last === undefined || last < first || more.length > 0) return undefined;
  return (texts, draws, out) => {
    const from = out.length;
    if (!of(texts, draws, out)) return false;
    const { bytes, length } = out;
    const to = Math.min(length, from + last);
    // Byte positions equal code point positions only if all bytes are ASCII.
    for (let i = from; i < to; i += 1) if ((bytes[i] as number) > 0x7f) return false;
    const kept = Math.max(0, to - from - first);
    if (first > 0) bytes.copyWithin(from, from + first, from + first + kept);
    out.length = from + kept;
    return true;
  };
}

function placeOf(node: Node | undefined): number | undefined {
  if (node?.kind !== 'literal') return undefined;
  const { value } = node;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
