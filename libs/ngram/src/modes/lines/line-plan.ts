import type { RandomStream } from '@understudy/random';
import type { CompileWordOptions } from '../../sampling/compile-word.js';
import type { DrawBudget } from '../../sampling/draw-budget.js';

/** How many words a line shall have. */
export type LineWords =
  | { readonly kind: 'learned' }
  | { readonly kind: 'exactly'; readonly count: number; readonly parameter: string }
  | { readonly kind: 'at most'; readonly count: number; readonly parameter: string };

export interface LineRequest {
  /** Default: none. The line begins with it as it stands; otherwise with a large letter. */
  readonly startsWith: string;
  /** The parameter that `startsWith` comes from. */
  readonly startParameter: string;
  readonly words: LineWords;
  /** In code points. */
  readonly maxLength: number;
  readonly excludeOriginals: boolean;
}

export interface LineOptions extends CompileWordOptions {
  /** Of all lines of a value. */
  readonly budget: DrawBudget;
}

/** Makes lines of words: sentences before their final mark, verses. */
export interface LinePlan {
  readonly byteLength: number;
  /** @throws AttemptsExhaustedError when no draw was acceptable */
  sample(random: RandomStream): string;
}
