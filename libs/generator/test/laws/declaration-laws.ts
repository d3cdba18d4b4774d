import { compileSchema } from '../../src/compile/compile-schema.js';
import { type GeneratorType } from '../../src/registry/generator-type.js';
import { type ParamType } from '../../src/registry/params-manifest.js';
import { asText, values, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';
import { asUse, type Use } from './as-use.js';
import type { LawContext } from './generator-laws.js';

/** Tests that a registered generator behaves as it declares. */
export function declarationLaws(type: GeneratorType, { options = OPTIONS }: LawContext = {}): void {
  const declared = [...Object.entries(type.params), ...Object.entries(type.constraints ?? {})];

  describe(type.name, () => {
    it('has a description and examples', () => {
      expect(type.description).toMatch(/^[A-Za-z].*\.$/s);
      expect(type.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(type.examples.length).toBeGreaterThan(0);
      for (const [, { description }] of declared) expect(description).toMatch(/\S/);
    });

    it('has defaults of the declared types', () => {
      for (const [, { type: declaredType, default: value }] of declared) {
        if (value !== undefined) expect(isOfType(value, declaredType)).toBe(true);
      }
    });

    it.each(type.examples)('equals its use form: %j', (example) => {
      expect(asUse(example).use).toBe(type.name);
      expect(values(asUse(example), 20, options)).toEqual(values(example, 20, options));
    });

    it.each(type.examples)('gives values of its declared output type: %j', (example) => {
      const drawn: unknown[] = values(example, 200, options);
      expect(drawn.filter((value) => !isOfType(value, type.output) || !isJson(value))).toEqual([]);
    });

    it.each(type.examples)('gives an absent param its default: %j', (example) => {
      const base = asUse(example);
      const expected = values(base, 20, options);
      for (const given of withDefaults(type, base)) expect(values(given, 20, options)).toEqual(expected);
    });

    it.each(type.examples)('refuses params that it does not declare: %j', (example) => {
      const base = asUse(example);
      const wrong = { ...base, params: { ...base.params, no_such_param: 1 } };
      expect(() => compileSchema({ generators: { it: wrong }, output: ['it'] }, options)).toThrow(
        'is not a parameter of this generator',
      );
    });
  });
}

/**
 * Returns one definition for each param or constraint that has a default and is absent from `base`. The
 * definition is `base` with that default written explicitly.
 */
function withDefaults(type: GeneratorType, base: Use): Json[] {
  const absent = (manifest: GeneratorType['params'], given: Json): [string, unknown][] =>
    Object.entries(manifest)
      .filter(([name, declaration]) => declaration.default !== undefined && !Object.hasOwn(given, name))
      .map(([name, declaration]) => [name, declaration.default]);
  return [
    ...absent(type.params, base.params).map(([name, value]) => ({
      ...base,
      params: { ...base.params, [name]: value },
    })),
    ...absent(type.constraints ?? {}, base.constraints).map(([name, value]) => ({
      ...base,
      constraints: { ...base.constraints, [name]: value },
    })),
  ];
}

function isOfType(value: unknown, type: ParamType): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return typeof value === 'bigint' || Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Returns false for values that JSON would lose or change: undefined, NaN, infinities and minus zero. */
function isJson(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0);
  }
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isJson);
  return asText(value) !== undefined;
}
