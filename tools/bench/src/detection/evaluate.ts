import { detectColumn, type Kind, KINDS, type WordLists } from '@understudy/personal-data';

import type { LabelledColumn } from './labelled-columns.js';

/** Numbers of columns for one kind of personal data, or for all kinds together. */
export interface Score {
  /** Number of columns that are both labelled and detected as the kind. */
  readonly right: number;
  /** Number of columns that are detected as the kind but not labelled as the kind. */
  readonly wrong: number;
  /** Number of columns that are labelled as the kind but not detected as the kind. */
  readonly missed: number;
}

export interface Evaluation {
  readonly columns: number;
  /**
   * Scores for personal columns of any kind. A column counts as right even if another kind of
   * personal data was detected, because the masking rule of that kind also replaces the values.
   */
  readonly personal: Score;
  readonly kinds: ReadonlyMap<Kind, Score>;
  /** Columns whose detected kind differs from their label. */
  readonly misses: readonly Miss[];
}

export interface Miss {
  readonly column: LabelledColumn;
  readonly found: Kind | 'none';
}

/** Runs the detection on labelled columns and compares the result with their labels. */
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

/** Returns the share of the detected columns whose detection is right; 1 if no column is detected. */
export function precision({ right, wrong }: Score): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Returns the share of the labelled columns that are detected; 1 if no column is labelled. */
export function recall({ right, missed }: Score): number {
  return right + missed === 0 ? 1 : right / (right + missed);
}

/** @param pairs for each column, whether it is labelled and whether it was detected */
function score(pairs: readonly (readonly [boolean, boolean])[]): Score {
  const count = (isThere: boolean, isFound: boolean): number =>
    pairs.filter(([there, found]) => there === isThere && found === isFound).length;
  return { right: count(true, true), wrong: count(false, true), missed: count(true, false) };
}
