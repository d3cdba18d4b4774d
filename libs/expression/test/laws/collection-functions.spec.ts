import { EvaluationError } from '../../src/errors.js';
import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

const item = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
const collection = fc.oneof(fc.array(item), fc.string({ unit: 'grapheme' }));
const index = fc.integer({ min: -12, max: 12 });

test('at counts from the start, or from the end if negative, and gives null for a missing element', () => {
  fc.assert(
    fc.property(collection, index, (x, i) => {
      const items: unknown[] = Array.from(x);
      expect(evaluate('at(x, i)', { x, i })).toBe(items.at(i) ?? null);
      expect(evaluate('at(x, i + 0.5)', { x, i })).toBe(items.at(i) ?? null);
      expect(evaluate('first(x) == at(x, 0) && last(x) == at(x, -1)', { x })).toBe(true);
      expect(evaluate('length(x)', { x })).toBe(items.length);
    }),
  );
});

test('member access by index equals at for indexes from 0, and works only on arrays', () => {
  fc.assert(
    fc.property(fc.array(item), index, (x, i) => {
      expect(evaluate('x[i]', { x, i })).toBe(i < 0 ? null : (x[i] ?? null));
      expect(evaluate('x[i + 0.5]', { x, i })).toBe(null);
    }),
  );
  expect(evaluate("'abc'[0]")).toBe(null);
});

test('an array literal keeps its values in order, and contains compares them by equality', () => {
  fc.assert(
    fc.property(item, item, item, (a, b, c) => {
      expect(evaluate('[a, b, c]', { a, b, c })).toEqual([a, b, c]);
      expect(evaluate('contains([a, b], c)', { a, b, c })).toBe(a === c || b === c);
      expect(evaluate("join([a, b], '')", { a, b })).toBe(`${String(a ?? '')}${String(b ?? '')}`);
    }),
  );
});

test('pick returns one of its arguments, or an element if its only argument is an array', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), item, item, (x, a, b) => {
      expect(x).toContain(evaluate('pick(x)', { x }));
      expect([a, b]).toContain(evaluate('pick(a, b)', { a, b }));
      expect(evaluate('pick(a)', { a })).toBe(a);
    }),
  );
});

test('if and coalesce evaluate only the arguments that they return', () => {
  const fails = '1 / 0';
  fc.assert(
    fc.property(item, item, (a, b) => {
      const yes = Boolean(a);
      expect(evaluate(`if(a, ${yes ? 'b' : fails}, ${yes ? fails : 'b'})`, { a, b })).toBe(b);
      expect(evaluate(`a ? ${yes ? 'b' : fails} : ${yes ? fails : 'b'}`, { a, b })).toBe(b);
      expect(evaluate(`coalesce(null, a, ${a === null ? 'b' : fails})`, { a, b })).toBe(a ?? b);
      expect(evaluate(`a && ${yes ? 'b' : fails}`, { a, b })).toBe(yes ? b : a);
      expect(evaluate(`a || ${yes ? fails : 'b'}`, { a, b })).toBe(yes ? a : b);
    }),
  );
});

test('the draws of uuid and pick depend only on the position of the call', () => {
  expect(evaluate('uuid()')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(evaluate('[uuid, uuid()]')).toEqual(evaluate('[uuid, uuid()]'));
  expect(evaluate('uuid() == uuid()')).toBe(false);
});

test.each([
  ['first(5)'],
  ['last(true)'],
  ['at(5, 0)'],
  ["at([1], '0') == null ? at(null, 0) : 1"],
  ['pick([])'],
])('%s fails when it is evaluated', (source) => {
  expect(() => evaluate(source)).toThrow(EvaluationError);
});
