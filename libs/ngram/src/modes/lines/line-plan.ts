import type { RandomStream } from '@understudy/random';
import type { CompileWordOptions } from '../../sampling/compile-word.js';
import type { DrawBudget } from '../../sampling/draw-budget.js';

/** The number of words that a line must have. */
export type LineWords =
  | { readonly kind: 'learned' }
  | { readonly kind: 'exactly'; readonly count: number; readonly parameter: string }
  | { readonly kind: 'at most'; readonly count: number; readonly parameter: string };

export interface LineRequest {
  /**
   * The text that the line starts with, exactly as given. If it is empty (the default), the line starts with
   * an upper-case letter.
   */
  readonly startsWith: string;
  /** The parameter that `startsWith` comes from. */
  readonly startParameter: string;
  readonly words: LineWords;
  /** In code points. */
  readonly maxLength: number;
  readonly excludeOriginals: boolean;
}

export interface LineOptions extends CompileWordOptions {
  /** The budget that all lines of a value share. */
  readonly budget: DrawBudget;
}

/** Generates lines of words: verses, or sentences without their final mark. */
export interface LinePlan {
  readonly byteLength: number;
  /** @throws AttemptsExhaustedError if no draw was acceptable */
  sample(random: RandomStream): string;
}
