import { type FieldProblem, kindOf } from '@understudy/sync-job';
import { conditionColumns } from './condition-columns.js';
import { parseRowCondition } from './parse-row-condition.js';

/** The unchecked text of a `where`. */
export interface WrittenCondition {
  /** The path of the `where` in the request. */
  readonly path: string;
  readonly text: string;
}

export interface CheckedConditions {
  readonly problems: readonly FieldProblem[];
  /** For each condition, the names of its columns without duplicates, in the order of their first use. */
  readonly columns: readonly (readonly string[])[];
}

/**
 * Parses conditions as an agent does. Messages contain positions and sizes, but never the text. Cost: milliseconds for
 * each condition. Do not call this function on the event loop of a server.
 */
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
