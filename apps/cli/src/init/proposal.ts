import type { Written } from '@understudy/personal-data';

/** What becomes of a column in the job file. */
export type Decision =
  | {
      readonly kind: 'rule';
      readonly rule: Written;
      /** What it is taken for, in a word or two. */
      readonly what: string;
      readonly reason: string;
    }
  /** Something of persons, and no rule that the column takes. */
  | { readonly kind: 'withheld'; readonly what: string; readonly reason: string; readonly obstacle: string }
  | { readonly kind: 'preserve' }
  | { readonly kind: 'computed' };

/** By table's place among the findings, then by column. */
export type Decisions = readonly ReadonlyMap<string, Decision>[];
