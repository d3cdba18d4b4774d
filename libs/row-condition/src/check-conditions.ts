import { type FieldProblem, kindOf } from '@understudy/sync-job';
import { conditionColumns } from './condition-columns.js';
import { parseRowCondition } from './parse-row-condition.js';

/** A `where` as it was sent. */
export interface WrittenCondition {
  /** Where it stands in the request. */
  readonly path: string;
  readonly text: string;
}

export interface CheckedConditions {
  readonly problems: readonly FieldProblem[];
  /** Of each condition, the columns that it names, as they first appear. */
  readonly columns: readonly (readonly string[])[];
}

/** Reads conditions as an agent will. Messages hold places and sizes, never the text. Cost: milliseconds each; not for the event loop. */
export async function checkConditions(conditions: readonly WrittenCondition[]): Promise<CheckedConditions> {
  const problems: FieldProblem[] = [];
  const columns: (readonly string[])[] = [];
  for (const { path, text } of conditions) {
    const parsed = await parseRowCondition(text);
    columns.push('condition' in parsed ? conditionColumns(parsed.condition) : []);
    if ('condition' in parsed) continue;
    const { position, message } = parsed.problem;
    const at = position === undefined ? '' : `position ${position} of `;
    problems.push({ field: path, message: `${message} (${at}${kindOf(text)})` });
  }
  return { problems, columns };
}
