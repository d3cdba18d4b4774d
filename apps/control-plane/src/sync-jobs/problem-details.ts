import type { AgentColumnType, AgentFailure, AgentProblem } from '../agent-link/sync-job-event.js';
import type { FieldProblem } from '../http/api-error.js';
import { fieldPath } from '../http/field-path.js';
import { failureMessage, type Names } from '../agent-work/failure-message.js';
import { missingPrivilege } from './missing-privilege.js';

/** Each problem at the place of the request that it is about. Of a failure without a list: that one, if it has a place there. */
export function problemDetails(failure: AgentFailure, names: Names): FieldProblem[] {
  const problems = failure.problems ?? (names.table(failure.tableIndex) === undefined ? [] : [failure]);
  return problems.map((problem) => ({ field: fieldOf(problem, names), message: messageOf(problem, names) }));
}

function fieldOf(problem: AgentProblem, names: Names): string {
  const { tableIndex, side } = problem;
  if (tableIndex === undefined || names.table(tableIndex) === undefined) {
    return side === undefined ? 'tables' : `${side}.connection_string`;
  }
  const column = columnOf(problem, names);
  return column === undefined ? `tables[${tableIndex}]` : fieldPath(`tables[${tableIndex}].columns`, column);
}

function columnOf({ tableIndex, columnIndex, column }: AgentProblem, names: Names): string | undefined {
  return names.column(tableIndex, columnIndex) ?? column;
}

function messageOf(problem: AgentProblem, names: Names): string {
  const { privilege, difference } = problem;
  if (privilege !== undefined)
    return missingPrivilege(privilege, problem.side, names.table(problem.tableIndex));
  const compose = DIFFERENCES[difference ?? ''];
  if (compose === undefined) return failureMessage(problem, names);
  return compose(columnOf(problem, names) === undefined ? 'a column' : 'the column', problem);
}

const DIFFERENCES: Readonly<Record<string, (column: string, problem: AgentProblem) => string>> = {
  missing: (column) => `The target's table lacks ${column}: its values would be lost.`,
  extra: (column) => `The target's table has ${column}, and the source's has none of that name.`,
  type: (column, { sourceType, targetType }) =>
    `The target's type of ${column}${inBrackets(targetType)} does not take every value of the source's${inBrackets(sourceType)}.`,
  collation: (column) => `The target has ${column} in another collation than the source.`,
  generated: (column) => `One side generates ${column} from others, and the other does not.`,
  enum_values: (column) => `The target's enum of ${column} lacks values that the source's has.`,
};

/** ` (varchar(3))` */
function inBrackets(type: AgentColumnType | undefined): string {
  if (type?.name === undefined) return type?.length === undefined ? '' : ` (of length ${type.length})`;
  return ` (${type.name}${type.length === undefined ? '' : `(${type.length})`})`;
}
