import type { NgramModel } from '../model/ngram-model.js';
import { compileCharLine } from './char-line-plan.js';
import type { LineOptions, LinePlan, LineRequest } from './line-plan.js';
import { compilePhraseLine } from './phrase-line-plan.js';

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
