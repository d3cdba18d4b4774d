import type { NamedTest } from '../named-tests/named-tests.js';

/** The state of one unit of the reference. `statement` quotes the unit word for word. */
export type Row = { readonly statement: string } & (
  | { readonly state: 'covered'; readonly tests: Tests }
  /** Understudy differs from the reference on purpose. The note describes the difference, and the tests show it. */
  | { readonly state: 'decided otherwise'; readonly note: string; readonly tests: Tests }
  /** The reference leaves a question open ("not shown"). The note has the decision, and the tests show it. */
  | { readonly state: 'left open'; readonly note: string; readonly tests: Tests }
  /** A part of the statement is not implemented yet. The tests show the implemented part. */
  | { readonly state: 'planned'; readonly note: string; readonly tests: readonly NamedTest[] }
  | { readonly state: 'not testable'; readonly note: string; readonly tests: readonly [] }
);

export type State = Row['state'];
type Tests = readonly [NamedTest, ...NamedTest[]];

/** The rows of one section of the reference, in its order. */
export interface Section {
  /** The first part of `Unit.id`: `4.2`, or `2.9 list generator` for a part of a long section. */
  readonly number: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

export const covered = (statement: string, ...tests: Tests): Row => ({ statement, state: 'covered', tests });

export const decidedOtherwise = (statement: string, note: string, ...tests: Tests): Row => ({
  statement,
  state: 'decided otherwise',
  note,
  tests,
});

export const leftOpen = (statement: string, note: string, ...tests: Tests): Row => ({
  statement,
  state: 'left open',
  note,
  tests,
});

export const planned = (statement: string, note: string, ...tests: readonly NamedTest[]): Row => ({
  statement,
  state: 'planned',
  note,
  tests,
});

export const notTestable = (statement: string, note: string): Row => ({
  statement,
  state: 'not testable',
  note,
  tests: [],
});

/** Builds the row of a lead-in such as "Rules:", which has no meaning without the units after it. */
export const leadIn = (statement: string): Row =>
  notTestable(statement, 'A lead-in. The units after it have their own rows.');
