export { type BuiltinExpression, type CalledFunction, readBuiltinExpression } from './builtin-expression.js';
export { checkConditions, type CheckedConditions, type WrittenCondition } from './check-conditions.js';
export { conditionColumns } from './condition-columns.js';
export { isLiteralOf } from './literal-text.js';
export { MAX_CONDITION_BYTES, parseRowCondition, type ParsedRowCondition } from './parse-row-condition.js';
export type {
  ColumnOperand,
  ComparisonOperator,
  ConditionProblem,
  LiteralOperand,
  LiteralType,
  Operand,
  RowCondition,
} from './row-condition.js';
