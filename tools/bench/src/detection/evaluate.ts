import { detectColumn, type Kind, KINDS, type WordLists } from '@understudy/personal-data';

import type { LabelledColumn } from './labelled-columns.js';

/** Counts columns of one kind, or of all kinds. */
export interface Score {
  /** Found and labelled so. */
  readonly right: number;
  /** Found, and labelled otherwise. */
  readonly wrong: number;
  /** Labelled so, and not found. */
  readonly missed: number;
}

export interface Evaluation {
  readonly columns: number;
  /** A column counts as found when any kind was found in it: what protects people is that it gets a rule. */
  readonly personal: Score;
  readonly kinds: ReadonlyMap<Kind, Score>;
  /** Columns whose kind was not found as labelled. */
  readonly misses: readonly Miss[];
}

export interface Miss {
  readonly column: LabelledColumn;
  readonly found: Kind | 'none';
}

/** Compares what the detection finds in columns with their labels. */
export function evaluate(columns: readonly LabelledColumn[], lists: WordLists): Evaluation {
  const found = columns.map((column) => ({
    column,
    found: detectColumn(column, lists)?.kind ?? ('none' as const),
  }));
  const counted = found.filter(({ column }) => column.label !== 'either');
  return {
    columns: counted.length,
    personal: score(counted.map(({ column, found }) => [column.label !== 'none', found !== 'none'])),
    kinds: new Map(
      KINDS.map((kind) => [
        kind,
        score(counted.map(({ column, found }) => [column.label === kind, found === kind])),
      ]),
    ),
    misses: counted.filter(({ column, found }) => column.label !== found),
  };
}

/** Returns the share of right columns among those found; 1 if nothing is found. */
export function precision({ right, wrong }: Score): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Returns the share of found columns among those that are there; 1 if nothing is there. */
export function recall({ right, missed }: Score): number {
  return right + missed === 0 ? 1 : right / (right + missed);
}

/** @param pairs whether it is there, whether it was found */
function score(pairs: readonly (readonly [boolean, boolean])[]): Score {
  const count = (isThere: boolean, isFound: boolean): number =>
    pairs.filter(([there, found]) => there === isThere && found === isFound).length;
  return { right: count(true, true), wrong: count(false, true), missed: count(true, false) };
}
