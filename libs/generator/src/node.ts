import { deriveKey, RandomStream, type Key } from '@understudy/random';
import type { Cell, Row } from './row.js';

/** A checked generator. Knows no seed; binding it to a key gives the cells of one run. */
export interface Node {
  /** The slots of names outside of it that it reads. */
  readonly reads: ReadonlySet<number>;
  /** Hashes every label once. State (`unique`) belongs to what is returned. */
  bind(key: Key): Cell;
}

/** Draws a value from a stream that stands at the cell's start. */
export type Draw = (random: RandomStream, row: Row) => unknown;

/** The node of a generator that needs one stream and no names. */
export function drawNode(draw: Draw): Node {
  return {
    reads: new Set(),
    bind(key) {
      const valueKey = deriveKey(key, 'value');
      const random = new RandomStream();
      return (row) => draw(random.seekWords(valueKey, row.hi, row.lo, row.attempt), row);
    },
  };
}

export function constantNode(value: unknown): Node {
  return { reads: new Set(), bind: () => () => value };
}
