import type { MentionCounts } from '../documents/value-sample.js';
import { type Kind, KIND_WORDS, MENTIONED } from '../kind.js';

/** The kind of personal data that a column contains, with the reasons. Includes no values of the column. */
export interface Detection {
  readonly kind: Kind;
  readonly because: {
    /** The strength of the clue in the column's name; undefined without a clue. */
    readonly name: 'strong' | 'weak' | undefined;
    /** Whether the column's type indicates the kind. */
    readonly type: boolean;
    /**
     * The number of inspected values, and the share of them that matches the kind. Absent if none were
     * inspected.
     */
    readonly values?: { readonly share: number; readonly seen: number };
    /** Whether the values are texts that mention persons. */
    readonly mentions?: boolean;
  };
  /** The country of a national identity number. */
  readonly country?: string;
}

/** A reason to look at a column or path, of which too little looks personal to replace all of its values. */
export interface Undecided {
  /** The possible content, in a word or two. */
  readonly what: string;
  /** The reason why no rule is proposed, as the end of the sentence "it looks like …, but". */
  readonly obstacle: string;
}

/** The facts about a column, or about a path inside its JSON documents, that detection uses. */
export interface ColumnFacts {
  readonly table: string;
  readonly column: string;
  /** The name of the base type in the catalog, such as `text` or `int8`. For an array, the type of its elements. */
  readonly type: string;
  /** Values of some rows as text, possibly truncated, without NULLs. */
  readonly values: readonly string[];
  /**
   * How many values were read and searched for mentions of persons. Absent if `values` are all values that were read.
   */
  readonly mentions?: MentionCounts;
  /** The names of the table's other columns. */
  readonly siblings?: readonly string[];
}

/** Returns the reasons in one line: `its name, and 96 % of 200 sampled values look like e-mail addresses`. */
export function reasonOf({ kind, because, country }: Detection): string {
  const { name, type, values, mentions } = because;
  const what = `${KIND_WORDS[kind]}${country === undefined ? '' : ` (${country})`}`;
  const parts = [
    ...(name === 'strong' ? ['its name'] : name === 'weak' ? ['a hint in its name'] : []),
    ...(type ? ['its type'] : []),
  ];
  if (values === undefined)
    return `${parts.join(' and ')} ${parts.length > 1 ? 'indicate' : 'indicates'} ${what}`;
  const share = `${percentOf(values.share)} of ${values.seen} sampled values`;
  if (mentions === true) return [...parts, `${share} mention ${MENTIONED}`].join(', and ');
  return [...parts, `${share} look like ${what}`].join(', and ');
}

export function percentOf(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
