import { type Kind, KIND_WORDS } from '../kind.js';

/** What a column is taken for, and why. Holds no value. */
export interface Detection {
  readonly kind: Kind;
  readonly because: {
    /** Whether the column's name says so. */
    readonly name: 'strong' | 'weak' | undefined;
    /** Whether its type says so. */
    readonly type: boolean;
    /** Of the values that were seen, how many look like it; absent where values were not asked. */
    readonly values?: { readonly share: number; readonly seen: number };
    /** People are mentioned in the text. */
    readonly mentions?: boolean;
  };
  /** Of a national number, whose. */
  readonly country?: string;
}

/** What is looked at of one column, or of one place inside the documents of a column. */
export interface ColumnFacts {
  readonly table: string;
  readonly column: string;
  /** The base type's name as the catalog has it (`text`, `int8`, `timestamptz`); of an array its elements'. */
  readonly type: string;
  /** Values of some rows as text, perhaps cut; no NULLs. */
  readonly values: readonly string[];
  /** Names of the table's other columns. */
  readonly siblings?: readonly string[];
}

/** Why, in one line: `its name, and 96 % of 200 sampled values look like e-mail addresses`. */
export function reasonOf({ kind, because, country }: Detection): string {
  const { name, type, values, mentions } = because;
  const what = `${KIND_WORDS[kind]}${country === undefined ? '' : ` (${country})`}`;
  const parts = [
    ...(name === 'strong' ? ['its name'] : name === 'weak' ? ['a hint in its name'] : []),
    ...(type ? ['its type'] : []),
  ];
  if (values === undefined) return `${parts.join(' and ')} ${parts.length > 1 ? 'say' : 'says'} ${what}`;
  const share = `${Math.round(values.share * 100)} % of ${values.seen} sampled values`;
  if (mentions === true)
    return `${[...parts, `${share} mention an address or a number of somebody`].join(', and ')}`;
  return [...parts, `${share} look like ${what}`].join(', and ');
}
