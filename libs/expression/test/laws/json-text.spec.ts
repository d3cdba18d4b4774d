import fc from 'fast-check';
import { evaluate } from '../evaluate.js';

/**
 * Generates scalars, arrays, and objects with unusual keys. The scalars include NaN, Infinity and -0, which
 * JSON.stringify does not preserve.
 */
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

test('an array or object is written like by JSON.stringify', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (x) => {
      expect(evaluate('concat(x)', { x })).toBe(JSON.stringify(x));
    }),
  );
});

test('a whole number beyond 2^53 keeps its digits', () => {
  expect(evaluate('concat(x)', { x: [987_654_321_987_654_321n, { n: 1n }] })).toBe(
    '[987654321987654321,{"n":1}]',
  );
});
