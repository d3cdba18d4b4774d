import { type FieldProblem, fieldPath } from '../request/field-problem.js';
import type { ColumnType, Failure, FailureProblem, Received } from './failure.js';
import { failureMessage } from './failure-message.js';
import { missingPrivilege } from './missing-privilege.js';
import type { Names } from './names.js';
import { SYNC_JOB_MESSAGES, type MessageSet } from './message-set.js';

/**
 * Lists the problems of a failure, each with the path of the request field that causes it. A failure without
 * a list of problems counts as one problem if it refers to a table of the request.
 */
export function problemDetails(failure: Failure, names: Names, messages = SYNC_JOB_MESSAGES): FieldProblem[] {
  const problems = failure.problems ?? (names.table(failure.tableIndex) === undefined ? [] : [failure]);
  return problems.map((problem) => ({
    field: fieldOf(problem, names),
    message: messageOf(problem, names, messages),
  }));
}

function fieldOf(problem: FailureProblem, names: Names): string {
  const { tableIndex, side, ignoredTableIndex } = problem;
  if (ignoredTableIndex !== undefined) return `ignored_tables[${ignoredTableIndex}]`;
  if (tableIndex === undefined || names.table(tableIndex) === undefined) {
    return side === undefined ? 'tables' : `${side}.connection_string`;
  }
  const column = columnOf(problem, names);
  return column === undefined ? `tables[${tableIndex}]` : fieldPath(`tables[${tableIndex}].columns`, column);
}

function columnOf({ tableIndex, columnIndex, column }: FailureProblem, names: Names): string | undefined {
  return names.column(tableIndex, columnIndex) ?? column;
}

function messageOf(problem: FailureProblem, names: Names, messages: MessageSet): string {
  const { privilege, difference } = problem;
  if (privilege !== undefined)
    return missingPrivilege(privilege, problem.side, names.table(problem.tableIndex));
  const compose = DIFFERENCES[difference ?? ''];
  if (compose === undefined) return failureMessage(problem, names, messages);
  return compose(columnOf(problem, names) === undefined ? 'a column' : 'the column', problem);
}

const DIFFERENCES: Readonly<Record<string, (column: string, problem: FailureProblem) => string>> = {
  missing: (column) => `The target's table lacks ${column}: its values would be lost.`,
  extra: (column) => `The target's table has ${column} that the source's table does not have.`,
  type: (column, { sourceType, targetType }) => {
    const [source, target] = [inBrackets(sourceType), inBrackets(targetType)];
    const reason =
      source === target && source !== ''
        ? ' The types have the same name, but another definition or modifier.'
        : '';
    return `The target's type of ${column}${target} cannot hold every value of the source's type${source}.${reason}`;
  },
  collation: (column) => `The target's collation of ${column} differs from the source's collation.`,
  generated: (column) =>
    `Only one database generates ${column} from other columns, or their expressions differ.`,
  enum_values: (column) =>
    `The target's enum type of ${column} lacks values of the source's type, or has them in another order.`,
};

/**
 * Formats a type in brackets, such as ` (varchar(3))`, or ` (of length 3)` if only the length is known.
 * @returns an empty text if neither the name nor the length of the type is known
 */
function inBrackets(type: Received<ColumnType> | undefined): string {
  if (type?.name === undefined) return type?.length === undefined ? '' : ` (of length ${type.length})`;
  return ` (${type.name}${type.length === undefined ? '' : `(${type.length})`})`;
}
