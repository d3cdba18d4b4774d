import type { UniqueRows } from './unique-rows.js';

/** How each original of a key is drawn so that no two become the same value. */
export interface OriginalDraws {
  /** By number, each original one of its own; otherwise the number is which draw is taken. */
  readonly isNumbered: boolean;
  readonly numbered?: UniqueRows['numbered'];
  /** The original's number: which draw, 0 for those not noted; or its own, -1 when it is not known. */
  of(stream: Int32Array): number;
}
