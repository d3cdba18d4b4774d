import { compileExpression } from '../../src/compile/expression.js';
import { compileTemplate } from '../../src/compile/template.js';
import { EvaluationError, ExpressionError } from '../../src/errors.js';
import { LIMITS } from '../../src/limits.js';
import { isDeepStrictEqual } from 'node:util';
import { testDraws } from '../evaluate.js';
import { NAMES } from './programs.js';

export type Outcome = 'refused' | 'failed' | 'value';

const CANARY = 'kanarek';
const USER: object = JSON.parse(
  `{"name":"${CANARY}","first-name":"Ada","tags":["x",["y"]],"__proto__":{"polluted":1},"constructor":null}`,
);

/**
 * The forbidden operations that a program performed on the value `user`, such as a write. Must stay empty.
 */
const escapes: string[] = [];
const guard: ProxyHandler<object> = {
  get(_target, key) {
    escapes.push(`read of ${String(key)}`);
    return undefined;
  },
  getPrototypeOf() {
    escapes.push('look at a prototype');
    return null;
  },
  set: () => fault('write'),
  defineProperty: () => fault('definition of a property'),
  deleteProperty: () => fault('deletion'),
  setPrototypeOf: () => fault('change of a prototype'),
};

const VALUES: Readonly<Record<string, unknown>> = {
  text: CANARY,
  long: `${CANARY} `.repeat(LIMITS.textBytes / (CANARY.length + 1)),
  odd: 'İß\ud83d😀\0e\u0301\udc00',
  date: '2024-02-29T12:34:56.789Z',
  n: 12.5,
  big: 987_654_321_987_654_321n,
  yes: true,
  none: null,
  list: Object.freeze(['b', 'a', 3, null, Object.freeze([])]),
  deep: [[[[['x']]]]],
  user: new Proxy(USER, guard),
  'first-name': 'Zoë',
  größe: 180,
};
const SLOTS = NAMES.map((name) => VALUES[name]);
const SLOT_OF = new Map(NAMES.map((name, slot) => [name, slot]));
const INPUTS = new Set<unknown>();
SLOTS.forEach(collectInputs);

/**
 * Compiles and runs a source twice: as an expression, and in a template.
 * @throws Error unless each result is plain data, an ExpressionError or an EvaluationError
 */
export function judge(source: string): Outcome {
  const template = outcome(() => compileTemplate(`<{{${source}}}>`, SLOT_OF).render(SLOTS, testDraws()));
  if (template.kind === 'value' && typeof template.value !== 'string')
    throw new Error('a template did not return a text');
  if (template.kind === 'value') checkValue(template.value, 1);

  const first = outcome(() => compileExpression(source, SLOT_OF).evaluate(SLOTS, testDraws()));
  if (first.kind === 'value') checkValue(first.value, 1);
  const second = outcome(() => compileExpression(source, SLOT_OF).evaluate(SLOTS, testDraws()));
  if (!isDeepStrictEqual(withoutGuards(first), withoutGuards(second)))
    throw new Error('the second run gave another result');
  if (escapes.length > 0) throw new Error(`escapes: ${escapes.splice(0).join(', ')}`);
  return first.kind;
}

interface Result {
  readonly kind: Outcome;
  readonly value: unknown;
}

function outcome(run: () => unknown): Result {
  try {
    return { kind: 'value', value: run() };
  } catch (error) {
    if (!(error instanceof ExpressionError) && !(error instanceof EvaluationError)) throw error;
    if (error.message.includes(CANARY)) throw new Error('an error quotes a value', { cause: error });
    if (error.message.length > 400) throw new Error('an error message is too long', { cause: error });
    return { kind: error instanceof ExpressionError ? 'refused' : 'failed', value: error.message };
  }
}

/** Checks that a result is a scalar, an input, or a new array of these, within the limits. */
function checkValue(value: unknown, depth: number): void {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
    throw new Error(`the result contains a ${typeof value}`);
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error('the result contains a number that is not finite');
  if (typeof value === 'string' && Buffer.byteLength(value) > 1.5 * LIMITS.textBytes) {
    // A lone surrogate has three bytes here, but the limit counts two.
    throw new Error('the result contains a text beyond the limit');
  }
  if (typeof value !== 'object' || value === null || INPUTS.has(value)) return;
  if (!Array.isArray(value) || Object.getPrototypeOf(value) !== Array.prototype)
    throw new Error('the result contains a new object');
  if (value.length > LIMITS.arrayValues || depth > LIMITS.valueDepth)
    throw new Error('the result contains an array beyond the limit');
  if (Reflect.ownKeys(value).length !== value.length + 1)
    throw new Error('the result contains an array with other members');
  for (const item of value) checkValue(item, depth + 1);
}

function collectInputs(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  INPUTS.add(value);
  const target = value === VALUES['user'] ? USER : value;
  for (const key of Object.keys(target)) collectInputs(Object.getOwnPropertyDescriptor(target, key)?.value);
}

function withoutGuards({ kind, value }: Result): unknown {
  return {
    kind,
    value: Array.isArray(value)
      ? value.map((item) => withoutGuards({ kind, value: item }))
      : value === VALUES['user']
        ? 'user'
        : value,
  };
}

function fault(what: string): never {
  throw new TypeError(`an input received the operation ${what}`);
}
