import type { Operand, RowCondition } from './row-condition.js';

/** Returns the names of the columns in a condition without duplicates, in the order of their first use. */
export function conditionColumns(condition: RowCondition): readonly string[] {
  return [...new Set(namesIn(condition))];
}

function namesIn(condition: RowCondition): readonly string[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.terms.flatMap(namesIn);
    case 'not':
      return namesIn(condition.term);
    case 'compare':
      return [condition.left, condition.right].flatMap(nameOf);
    case 'between':
      return [condition.operand, condition.low, condition.high].flatMap(nameOf);
    default:
      return [condition.column.name];
  }
}

function nameOf(operand: Operand): readonly string[] {
  return operand.kind === 'column' ? [operand.name] : [];
}
