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

/** The input of a mode's compiler, except for the mode's own parameters. */
export class ModeSite {
  readonly excludeOriginals: boolean;
  /** The draw budget of the lines. Each plan for words also has its own limits. */
  readonly budget = new DrawBudget();
  private lookup: OriginalLookup | undefined;

  constructor(
    readonly model: NgramModel,
    readonly constraints: WordConstraints,
    readonly options: CompileWordOptions,
  ) {
    this.excludeOriginals = constraints.excludeOriginals === true;
  }

  /** Undefined if the output may contain training values. */
  get isOriginal(): OriginalLookup | undefined {
    if (this.excludeOriginals) this.lookup ??= originalLookup(this.model);
    return this.lookup;
  }

  /**
   * Returns the `startsWith` parameter of the mode, or the constraint of the same name if the parameter is
   * absent.
   */
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
 * Compiles a plan for lines. With a model over words, a line is one of its values. With a model over code
 * points, a line is a sequence of words that are drawn separately.
 * @throws UnsatisfiableError if no such line is possible
 * @throws PlanTooLargeError if the plan exceeds the budget
 */
export function compileLine(model: NgramModel, request: LineRequest, options: LineOptions): LinePlan {
  return model.tokenType === 'char'
    ? compileCharLine(model, request, options)
    : compilePhraseLine(model, request, options);
}
