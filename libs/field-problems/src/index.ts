export { fieldPath } from './field-path.js';
export type { FieldProblem } from './field-problem.js';
export { expectedButGot, kindOf } from './kind-of.js';
