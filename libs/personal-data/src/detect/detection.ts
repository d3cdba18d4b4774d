import type { Kind } from '../kind.js';

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
