import { INSTANT_FORM } from '@understudy/sync-job';
import fc from 'fast-check';

/** The keywords of JSON Schema that the description of the API uses. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** Longer lists and strings would not test more. */
const MAX_ITEMS = 4;
const MAX_CHARACTERS = 40;

/** Characters of several alphabets and planes, and characters with a special meaning in some syntax. */
export const CHARACTER = fc.constantFrom(...'aZ09 _-.,:;/\\\'"`<>{}[]()$%&#?=+*|~^é漢😀\u202e\u0301\n\t');

const instants = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Generates values that match a schema. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return objects(schema);
  if (schema.type === 'array') return arrays(schema);
  if (schema.type === 'integer') return integers(schema);
  if (schema.type === 'string') return texts(schema);
  return fc.jsonValue({ maxDepth: 3 });
}

function objects({
  properties = {},
  required = [],
  additionalProperties = true,
}: Schema): fc.Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valuesOf(property)])),
    { requiredKeys: [...required] },
  );
  if (additionalProperties === false) return known;
  const other =
    additionalProperties === true ? fc.jsonValue({ maxDepth: 2 }) : valuesOf(additionalProperties);
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), other, { maxKeys: 3 });
  return fc.tuple(others, known).map(([more, wanted]) => ({ ...more, ...wanted }));
}

function arrays({ items = {}, minItems = 0, uniqueItems = false }: Schema): fc.Arbitrary<unknown> {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, MAX_ITEMS) };
  return uniqueItems ? fc.uniqueArray(valuesOf(items), bounds) : fc.array(valuesOf(items), bounds);
}

function integers({ minimum = -1_000, maximum = 1_000 }: Schema): fc.Arbitrary<unknown> {
  // A filter on all safe integers would rarely find one in a narrow range.
  const common = fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) });
  return fc.oneof(common, fc.constantFrom(minimum, maximum));
}

function texts({
  pattern,
  format,
  minLength = 0,
  maxLength = MAX_CHARACTERS,
}: Schema): fc.Arbitrary<unknown> {
  // Most texts of this form are no days that exist, so they would rarely be accepted.
  if (pattern === INSTANT_FORM.source) return fc.oneof(instants, fc.stringMatching(INSTANT_FORM));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return instants;
  return fc.string({ unit: CHARACTER, minLength, maxLength: Math.min(maxLength, MAX_CHARACTERS) });
}
