import fc from 'fast-check';

/** Any sequence of UTF-16 units, including unpaired surrogates. Characters that need escapes are frequent. */
export const awkwardText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom('"', '\\', ',', '\r', '\n', '\t', '\0', ' ', 'a', 'é', '€', '😀', '\ud800', '\udfff'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', '__proto__', 'constructor', '0', '42', '007'),
);

export const leaf = fc.oneof(
  awkwardText,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
);

export const value = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(awkwardText, tie('value'), { maxKeys: 4 }),
})).value;

/**
 * Any value without U+0000 in a top-level text. Nested texts may contain it, because JSON writes it as an
 * escape.
 */
export const storableValue = value.map((item) =>
  typeof item === 'string' ? item.replaceAll('\0', '') : item,
);

/** Columns with distinct names, and rows with one value for each column. */
export function records(
  of: fc.Arbitrary<unknown>,
): fc.Arbitrary<{ readonly columns: string[]; readonly rows: unknown[][] }> {
  return fc.uniqueArray(awkwardText, { minLength: 1, maxLength: 6 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(of, { minLength: columns.length, maxLength: columns.length }), {
        maxLength: 6,
      }),
    }),
  );
}
