import type { ByteSink } from '@understudy/bytes';
import { putUuidV4, utf8Bytes, UUID_LENGTH } from '@understudy/random';
import type { Draws, Names } from './compile.js';
import { renderText } from '../values/render-text.js';
import type { Node } from '../parse/syntax-tree.js';

/** Texts of slots that have been written already: that of a slot is `sinks[slot].bytes[starts[slot], ends[slot])`, of NULL nothing. */
export interface SlotTexts {
  readonly sinks: readonly ByteSink[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Appends the UTF-8 of what the closure would render, without making a text of it. Most templates of names are made
 * of a handful of forms; the others, and values outside of what is quick to know, are the closure's.
 * @returns false where only the closure can tell; then what was appended is to be taken off again
 */
export type TextWriter = (texts: SlotTexts, draws: Draws, out: ByteSink) => boolean;

/** Longer texts are left to closures, which count their work: so many parts of so many bytes stay far below its limit. */
const MAX_PART_BYTES = 4096;
export const MAX_WRITERS = 16;

/** @param siteOf the site of a call that draws, by its place in the source. @returns undefined for what has no writer */
export function textWriter(node: Node, names: Names, siteOf: (at: number) => number): TextWriter | undefined {
  if (node.kind === 'literal') return constantWriter(renderText(node.value));
  const slot = node.kind === 'name' ? names.get(node.name) : undefined;
  if (slot !== undefined) return slotWriter(slot);
  if (node.kind === 'name') return node.name === 'uuid' ? uuidWriter(siteOf(node.at)) : undefined;
  if (node.kind !== 'call') return undefined;
  if (node.name === 'uuid') return uuidWriter(siteOf(node.at));
  const [first, ...rest] = node.args;
  // One function deep: a chain of them goes through its text again and again, which closures count.
  if (first === undefined || (first.kind === 'call' && first.name !== 'uuid')) return undefined;
  const of = textWriter(first, names, siteOf);
  if (of === undefined) return undefined;
  if (node.name === 'lowercase') return casedWriter(of, UPPER_A, CASE_BIT);
  if (node.name === 'uppercase') return casedWriter(of, LOWER_A, -CASE_BIT);
  return node.name === 'substring' ? substringWriter(of, rest) : undefined;
}

/** @returns undefined for a text that UTF-8 does not hold, or a server does not take */
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
    // Only now: it may be the very sink that has grown.
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

/** Shifts the 26 letters from `first` on; of other alphabets Unicode knows. */
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

/** From one literal place up to another. */
function substringWriter(of: TextWriter, [start, end, ...more]: readonly Node[]): TextWriter | undefined {
  const first = placeOf(start);
  const last = placeOf(end);
  if (first === undefined || last === undefined || last < first || more.length > 0) return undefined;
  return (texts, draws, out) => {
    const from = out.length;
    if (!of(texts, draws, out)) return false;
    const { bytes, length } = out;
    const to = Math.min(length, from + last);
    // Bytes are code points up to where something else begins.
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
