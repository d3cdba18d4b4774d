/**
 * The words and names that a message template can use. They contain no row value, no host and no message of a
 * server.
 */
export interface Placeholders {
  /** `the source database` */
  readonly database: string;
  /** `database` for the beginning of a sentence. */
  readonly Database: string;
  readonly outcome: string;
  /** `table "customers"`, or undefined */
  readonly table: string | undefined;
  readonly column: string | undefined;
  /** `column "email"`, a column of the table with a similar name. */
  readonly similar: string | undefined;
  /** `column "email" of table "customers"`, the table if no column is known, or else the database. */
  readonly where: string;
  readonly constraint: string;
  /** Whether `constraint` is more than "a constraint". */
  readonly isConstraintKnown: boolean;
  readonly isForeignKey: boolean;
  /** Whether the rows may break the bounds of partitions instead of a CHECK constraint. */
  readonly mayLackPartition: boolean;
  /** `function "app"."slug"`, or undefined. `creating` is an object that could not be created without `object`. */
  readonly object: string | undefined;
  readonly creating: string | undefined;
  /** `role "planner"`, which owns `object` or may change it; or undefined. */
  readonly objectRole: string | undefined;
  /** Whether `object` is an extension. */
  readonly isExtension: boolean;
  /** SQL that gives the function `object` a search_path of its own. */
  readonly setPath: string;
  /** SQL that drops the schema `object`. */
  readonly dropSchema: string;
  /** `a view`, or `no table` for a kind that this version does not know. */
  readonly relation: string;
  /** A value for the server's setting max_locks_per_transaction. Undefined if it was not computed. */
  readonly locksPerTransaction: number | undefined;
  /** `only 2 of the 3 sessions that a job needs at once`, or `fewer sessions than a job needs at once`. */
  readonly sessions: string;
  /** Which setting limits the sessions, and what to do. */
  readonly raiseSessions: string;
  readonly worker: string;
  /** `worker` for the beginning of a sentence. */
  readonly Worker: string;
  readonly machine: string;
  readonly log: string;
  readonly again: string;
  readonly resuming: string;
  readonly eachTime: string;
}

export type MessageTemplate = (placeholders: Placeholders) => string;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function decapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
