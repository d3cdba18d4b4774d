import fc from 'fast-check';

/** Strings that often cause errors in programs. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '﷽'.repeat(100),
  "' OR 1=1 --",
  '"; \\',
  '../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%zz',
  '{{value}}',
  '{{{{',
  '${7*7}',
  '<script>alert(1)</script>',
  'a\r\nx-injected: 1',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  '9'.repeat(400),
  'null',
  'NaN',
];

const hostileText = fc.constantFrom(...HOSTILE_TEXTS);
const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'surprise',
  '',
  'a.b',
  '\0',
  'length',
);
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, -0, Number.MAX_SAFE_INTEGER + 1, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 60 }).map((depth) => nest(depth)),
);

/**
 * Generates invalid variants of the values: in one to three places, a value is removed or replaced, or an
 * unknown key is added.
 */
export function invalid(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'add'),
    key: hostileKey,
    value: hostileValue,
  });
  return fc
    .tuple(values, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>(invalidate, structuredClone(value)));
}

interface Change {
  readonly at: number;
  readonly how: string;
  readonly key: string;
  readonly value: unknown;
}

function invalidate(value: unknown, { at, how, key, value: shared }: Change): unknown {
  const other = structuredClone(shared); // the next change may modify this copy
  const places = placesIn(value);
  const place = places[at % (places.length + 1)];
  if (!place) return how === 'replace' ? other : value; // the root was chosen
  const { parent, step } = place;
  if (how === 'remove') Reflect.deleteProperty(parent, step);
  else if (how === 'replace') define(parent, step, other);
  else if (Array.isArray(parent)) parent.push(other);
  else define(parent, key, other);
  return value;
}

/** Defines an own property, also one named `__proto__`, as JSON.parse does. */
function define(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown): { readonly parent: object; readonly step: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([step, item]) => [{ parent: value, step }, ...placesIn(item)]);
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : [nest(depth - 1)];
}
