import { type FieldProblem, fieldPath } from '../request/field-problem.js';
import type { ColumnType, Failure, FailureProblem, Received } from './failure.js';
import { failureMessage } from './failure-message.js';
import { missingPrivilege } from './missing-privilege.js';
import type { Names } from './names.js';
import { SYNC_JOB_WORDING, type Wording } from './wording.js';

/** Each problem at the place of the request that it is about. Of a failure without a list: that one, if it has a place there. */
export function problemDetails(failure: Failure, names: Names, wording = SYNC_JOB_WORDING): FieldProblem[] {
  const problems = failure.problems ?? (names.table(failure.tableIndex) === undefined ? [] : [failure]);
  return problems.map((problem) => ({
    field: fieldOf(problem, names),
    message: messageOf(problem, names, wording),
  }));
}

function fieldOf(problem: FailureProblem, names: Names): string {
  const { tableIndex, side } = problem;
  if (tableIndex === undefined || names.table(tableIndex) === undefined) {
    return side === undefined ? 'tables' : `${side}.connection_string`;
  }
  const column = columnOf(problem, names);
  return column === undefined ? `tables[${tableIndex}]` : fieldPath(`tables[${tableIndex}].columns`, column);
}

function columnOf({ tableIndex, columnIndex, column }: FailureProblem, names: Names): string | undefined {
  return names.column(tableIndex, columnIndex) ?? column;
}

function messageOf(problem: FailureProblem, names: Names, wording: Wording): string {
  const { privilege, difference } = problem;
  if (privilege !== undefined)
    return missingPrivilege(privilege, problem.side, names.table(problem.tableIndex));
  const compose = DIFFERENCES[difference ?? ''];
  if (compose === undefined) return failureMessage(problem, names, wording);
  return compose(columnOf(problem, names) === undefined ? 'a column' : 'the column', problem);
}

const DIFFERENCES: Readonly<Record<string, (column: string, problem: FailureProblem) => string>> = {
  missing: (column) => `The target's table lacks ${column}: its values would be lost.`,
  extra: (column) => `The target's table has ${column}, and the source's has none of that name.`,
  type: (column, { sourceType, targetType }) =>
    `The target's type of ${column}${inBrackets(targetType)} does not take every value of the source's${inBrackets(sourceType)}.`,
  collation: (column) => `The target has ${column} in another collation than the source.`,
  generated: (column) => `One side generates ${column} from others, and the other does not.`,
  enum_values: (column) => `The target's enum of ${column} lacks values that the source's has.`,
};

/** ` (varchar(3))` */
function inBrackets(type: Received<ColumnType> | undefined): string {
  if (type?.name === undefined) return type?.length === undefined ? '' : ` (of length ${type.length})`;
  return ` (${type.name}${type.length === undefined ? '' : `(${type.length})`})`;
}
