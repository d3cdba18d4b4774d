import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

/** Arrays and objects of what JSON has, of numbers that it lacks, and with keys of every kind. */
const value = fc.anything({
  maxDepth: 3,
  maxKeys: 5,
  key: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'toJSON', '1', ''),
  ),
  values: [
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, NaN, Infinity, -0),
  ],
});

test('an array or object is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (x) => {
      expect(evaluate('concat(x)', { x })).toBe(JSON.stringify(x));
    }),
  );
});

test('a whole number past 2^53 keeps its digits', () => {
  expect(evaluate('concat(x)', { x: [987_654_321_987_654_321n, { n: 1n }] })).toBe(
    '[987654321987654321,{"n":1}]',
  );
});
