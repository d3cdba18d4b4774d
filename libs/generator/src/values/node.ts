import type { ByteSink } from '@understudy/bytes';
import type { Names } from '@understudy/expression';
import { deriveKey, RandomStream, type Key } from '@understudy/random';
import type { CompileContext } from '../compile/compile-context.js';
import type { Cell, Row, TextCell } from './row.js';
import type { ValueTraits, Variety } from './variety.js';

/** A checked generator. Knows no seed; binding it to a key gives the cells of one run. */
export interface Node {
  /** The slots of names outside of it that it reads. */
  readonly reads: ReadonlySet<number>;
  /** Hashes every label once. State (`unique`) belongs to what is returned. */
  bind(key: Key): Cell;
  /** As `bind`, of the value's text in bytes. Absent where that is no cheaper, and of what keeps state. */
  readonly bindText?: (key: Key) => TextCell;
  /** Absent, or undefined, where it is not known. Costs milliseconds at times: asked for when somebody needs it. */
  readonly variety?: () => Variety | undefined;
  readonly traits?: ValueTraits;
}

/**
 * Compiles one generator.
 * @param names what its templates and expressions may refer to
 * @returns undefined when problems were filed
 */
export type CompileNode = (
  definition: unknown,
  path: string,
  names: Names,
  context: CompileContext,
) => Node | undefined;

/** Draws a value from a stream that stands at the cell's start. */
export type Draw = (random: RandomStream, row: Row) => unknown;

/** Appends the text of the same value. @returns false where only the draw can tell it */
export type TextDraw = (random: RandomStream, out: ByteSink) => boolean;

/** A draw that has further streams, so that what they decide does not move its value. */
export interface StreamedDraw {
  /** Their labels, each different. A label's values do not depend on the others. */
  readonly streams: readonly string[];
  /** @param stream puts the one object that serves all of them at the start of `streams[i]` for this cell */
  readonly draw: (random: RandomStream, row: Row, stream: (i: number) => RandomStream) => unknown;
}

/** A draw that knows how many different values it has. */
export interface CountedDraw {
  readonly draw: Draw;
  readonly write?: TextDraw;
  readonly variety: () => Variety | undefined;
  readonly traits?: ValueTraits;
}

export type AnyDraw = Draw | StreamedDraw | CountedDraw;

/** The node of a generator that reads no names. */
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
      if (streamKey === undefined) throw new RangeError(`there is no stream ${i}`);
      return other.seekWords(streamKey, row.hi, row.lo, row.attempt);
    });
}

export function constantNode(value: unknown): Node {
  return { reads: new Set(), bind: () => () => value };
}
