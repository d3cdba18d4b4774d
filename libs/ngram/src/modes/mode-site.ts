import type { NgramModel } from '../model/ngram-model.js';
import type { CompileWordOptions } from '../sampling/compile-word.js';
import { DrawBudget } from '../sampling/draw-budget.js';
import type { WordConstraints } from '../sampling/constraints/word-constraints.js';
import { checkText } from './check-parameter.js';
import type { LinePlan, LineRequest, LineOptions } from './lines/line-plan.js';
import { LONGEST_TEXT, MODE_LIMITS } from './mode-parameters.js';
import { type OriginalLookup, originalLookup } from './original-lookup.js';
import { compileCharLine } from './lines/char-line-plan.js';
import { compilePhraseLine } from './lines/phrase-line-plan.js';

/** What a mode is compiled from, its own parameters aside. */
export class ModeSite {
  readonly excludeOriginals: boolean;
  /** Of the lines; words draw by themselves. */
  readonly budget = new DrawBudget();
  private lookup: OriginalLookup | undefined;

  constructor(
    readonly model: NgramModel,
    readonly constraints: WordConstraints,
    readonly options: CompileWordOptions,
  ) {
    this.excludeOriginals = constraints.excludeOriginals === true;
  }

  /** Undefined where training values may be given. */
  get isOriginal(): OriginalLookup | undefined {
    if (this.excludeOriginals) this.lookup ??= originalLookup(this.model);
    return this.lookup;
  }

  /** The mode's own `startsWith`, or that of the constraints. */
  startsWith(own: string | undefined): string {
    return checkText(own ?? this.constraints.startsWith ?? '', 'starts_with', MODE_LIMITS.startsWith);
  }

  line(request: Partial<LineRequest>): LinePlan {
    return compileLine(
      this.model,
      {
        startsWith: '',
        startParameter: 'starts_with',
        words: { kind: 'learned' },
        maxLength: LONGEST_TEXT,
        excludeOriginals: this.excludeOriginals,
        ...request,
      },
      { ...this.options, budget: this.budget },
    );
  }
}

/**
 * A model over words makes a line in one go, as one of its values; of a model over code points a line is a row of
 * words drawn for themselves.
 * @throws UnsatisfiableError when there is no such line · PlanTooLargeError beyond the budget
 */
export function compileLine(model: NgramModel, request: LineRequest, options: LineOptions): LinePlan {
  return model.tokenType === 'char'
    ? compileCharLine(model, request, options)
    : compilePhraseLine(model, request, options);
}
