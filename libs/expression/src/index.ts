export { addUnits, unitNamed, type Unit } from './calendar/duration.js';
export { DAY_MS } from './calendar/civil-date.js';
export {
  EARLIEST_MS,
  formatDate,
  formatInstant,
  formatTime,
  LATEST_MS,
  INSTANT_FORMS,
  INSTANT_VALUES,
  parseInstant,
} from './calendar/instant.js';
export { hasAmbiguousUnit, resolveInstant } from './calendar/relative-instant.js';
export type { Closure, Draws, Names } from './compile/compile.js';
export { EvaluationError, ExpressionError } from './errors.js';
export { compileExpression, type Expression } from './compile/expression.js';
export { FUNCTIONS } from './functions/function-table.js';
export { LIMITS } from './limits.js';
export { didYouMean, nearestName } from './parse/nearest-name.js';
export {
  decimalText,
  type ExactDecimal,
  exactDecimal,
  hasMembers,
  isExactDecimal,
} from './values/exact-decimal.js';
export {
  hasExactNumbers,
  NumberReader,
  parseExactJson,
  parseKeptJson,
  readKeptJson,
  ROUNDED,
  RoundedNumber,
  roundedNumbers,
  writeExactJson,
} from './values/exact-json.js';
export { parseExactNumber } from './values/exact-number.js';
export { truthy } from './values/operators.js';
export { renderText } from './values/render-text.js';
export { compileTemplate, type Template } from './compile/template.js';
export type { SlotTexts, TextWriter } from './compile/text-writer.js';
export { slug } from './functions/to-ascii.js';
