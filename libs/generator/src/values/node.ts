import type { ByteSink } from '@understudy/bytes';
import type { Names } from '@understudy/expression';
import { deriveKey, RandomStream, type Key } from '@understudy/random';
import type { CompileContext } from '../compile/compile-context.js';
import type { Cell, Row, TextCell } from './row.js';
import type { ValueTraits, Variety } from './variety.js';

/** A compiled generator, without a seed. Binding it to a key gives the cells of one run. */
export interface Node {
  /** The slots of outer names that the generator reads. */
  readonly reads: ReadonlySet<number>;
  /**
   * Returns the cell for a key. Derives all keys from their labels, so call it once per run. The cell owns
   * the state of `unique`.
   */
  bind(key: Key): Cell;
  /**
   * Like `bind`, but the returned cell appends the value's text as UTF-8. Absent if that is not faster, or if
   * the generator has state.
   */
  readonly bindText?: (key: Key) => TextCell;
  /** Returns the variety, or undefined if it is unknown. May take milliseconds, so call it only if needed. */
  readonly variety?: () => Variety | undefined;
  readonly traits?: ValueTraits;
}

/**
 * Compiles one generator.
 * @param names the names that its templates and expressions may refer to
 * @returns undefined if problems were added
 */
export type CompileNode = (
  definition: unknown,
  path: string,
  names: Names,
  context: CompileContext,
) => Node | undefined;

/** Draws a value. `random` is at the start of the cell's stream. */
export type Draw = (random: RandomStream, row: Row) => unknown;

/** Appends the text that the `Draw` would return. @returns false if only the `Draw` can produce that text */
export type TextDraw = (random: RandomStream, out: ByteSink) => boolean;

/** A draw with additional random streams. Taking more words from one stream does not affect the others. */
export interface StreamedDraw {
  /**
   * The labels of the streams, which must differ. The words of a stream depend only on its own label and the
   * cell.
   */
  readonly streams: readonly string[];
  /**
   * @param stream returns the stream `streams[i]` of this cell, at its start. All calls return the same object,
   * so the previous stream cannot be used any more.
   */
  readonly draw: (random: RandomStream, row: Row, stream: (i: number) => RandomStream) => unknown;
}

/** A draw whose number of different values is known. */
export interface CountedDraw {
  readonly draw: Draw;
  readonly write?: TextDraw;
  readonly variety: () => Variety | undefined;
  readonly traits?: ValueTraits;
}

export type AnyDraw = Draw | StreamedDraw | CountedDraw;

/** Creates the node of a generator that reads no slots. */
export function drawNode(draw: AnyDraw): Node {
  const node: Node = { reads: new Set(), bind: (key) => bindDraw(draw, key) };
  if (!('variety' in draw)) return node;
  const { variety, traits, write } = draw;
  return {
    ...node,
    variety,
    ...(traits && { traits }),
    ...(write && { bindText: (key) => bindTextDraw(write, key) }),
  };
}

function bindTextDraw(write: TextDraw, key: Key): TextCell {
  const valueKey = valueKeyOf(key);
  const random = new RandomStream();
  return (row, _texts, out) => write(random.seekWords(valueKey, row.hi, row.lo, row.attempt), out);
}

function valueKeyOf(key: Key): Key {
  return deriveKey(key, 'value');
}

export function bindDraw(anyDraw: AnyDraw, key: Key): Cell {
  const valueKey = valueKeyOf(key);
  const random = new RandomStream();
  const draw = 'variety' in anyDraw ? anyDraw.draw : anyDraw;
  if (typeof draw === 'function') {
    return (row) => draw(random.seekWords(valueKey, row.hi, row.lo, row.attempt), row);
  }
  const keys = draw.streams.map((label) => deriveKey(key, `stream ${label}`));
  const other = new RandomStream();
  return (row) =>
    draw.draw(random.seekWords(valueKey, row.hi, row.lo, row.attempt), row, (i) => {
      const streamKey = keys[i];
      if (streamKey === undefined) throw new RangeError(`no stream ${i}`);
      return other.seekWords(streamKey, row.hi, row.lo, row.attempt);
    });
}

export function constantNode(value: unknown): Node {
  return { reads: new Set(), bind: () => () => value };
}
