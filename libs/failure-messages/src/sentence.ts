/** What a sentence about a failure can be made of: words and names, no value, host or text of a server. */
export interface Place {
  /** `the source database` */
  readonly database: string;
  /** At the beginning of a sentence. */
  readonly Database: string;
  readonly outcome: string;
  /** `table "customers"`, or undefined */
  readonly table: string | undefined;
  readonly column: string | undefined;
  /** `column "email" of table "customers"`, or as much of it as is known. */
  readonly where: string;
  readonly constraint: string;
  readonly worker: string;
  /** At the beginning of a sentence. */
  readonly Worker: string;
  readonly machine: string;
  readonly log: string;
  readonly again: string;
  readonly eachTime: string;
}

export type Sentence = (place: Place) => string;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
