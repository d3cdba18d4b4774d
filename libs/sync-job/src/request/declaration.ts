import { expectedButGot, type FieldProblem, fieldPath } from './field-problem.js';
import { isBoolean, isObject, isString } from './object-reader.js';

/** A JSON Schema of a value in a request, and what its reader needs. */
export interface Declaration {
  /** Absent if `reading.accepts` decides. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly properties?: Readonly<Record<string, Declaration>>;
  readonly required?: readonly string[];
  readonly items?: Declaration;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The other keywords are for readers of the API description. */
  readonly [keyword: string]: unknown;
  /** Parts that are not in the JSON Schema: rules and texts for the reader, and the need of an option. */
  readonly reading?: {
    /** Describes a valid value, after the word "expected". */
    readonly expected?: string;
    /** Replaces the check of the keywords above, except those of members and items. */
    readonly accepts?: (value: unknown) => boolean;
    /** The noun for one item of an array. Texts about the array contain it. */
    readonly item?: string;
    /** The message about items that are not objects and not valid. */
    readonly each?: string;
    /** The whole message, if it does not name the kind of the value. */
    readonly message?: string;
    /** The number of what an agent must be able to do if an option has another value than its default. */
    readonly capability?: number;
    /** The mode of `replace` in which an option exists. Without it, the option exists in both. */
    readonly mode?: 'tables' | 'database';
  };
}

/**
 * Reads a value and reports every mistake, except fields that are not declared.
 * @returns the value without its invalid fields, in the order of the declaration; undefined if it is invalid itself. An
 *   invalid object in an array is replaced by an empty one, so that indexes stay the same.
 */
export function readDeclared(
  declaration: Declaration,
  value: unknown,
  path: string,
  problems: FieldProblem[],
): unknown {
  const message = mistakeIn(declaration, value);
  if (message !== undefined) {
    problems.push({ field: path, message });
    return undefined;
  }
  const { properties, items, required = [] } = declaration;
  if (items?.properties && Array.isArray(value))
    return value.map((item, index) => readDeclared(items, item, fieldPath(path, index), problems) ?? {});
  if (properties === undefined || !isObject(value)) return value;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const written = Object.hasOwn(value, name) ? value[name] : undefined;
    if (written === undefined && !required.includes(name)) return [];
    const read = readDeclared(field, written, fieldPath(path, name), problems);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(fields);
}

/**
 * Returns a problem for each field that is not declared, in the order of the value. It also looks into an array in the
 * location of an object, and into an object in the location of an array.
 */
export function unknownFields(declaration: Declaration, value: unknown, path: string): FieldProblem[] {
  const { properties } = declaration.items ?? declaration;
  if (properties === undefined) return [];
  return Array.isArray(value)
    ? value.flatMap((item, index) => unknownMembers(properties, item, fieldPath(path, index)))
    : unknownMembers(properties, value, path);
}

function unknownMembers(
  properties: NonNullable<Declaration['properties']>,
  value: unknown,
  path: string,
): FieldProblem[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const here = fieldPath(path, name);
    return declared
      ? unknownFields(declared, member, here)
      : [{ field: here, message: 'is not a known field' }];
  });
}

/** Returns the message about a value, without regard to its members. */
function mistakeIn(declaration: Declaration, value: unknown): string | undefined {
  const { items, reading = {} } = declaration;
  const { item, each, message } = reading;
  const expected = item === undefined ? expectedValue(declaration, value) : expectedArray(declaration, value);
  if (expected !== undefined) return message ?? expectedButGot(expected, value);
  const isEachValid =
    each === undefined || !items || !Array.isArray(value) || value.every((one) => accepts(items, one));
  return isEachValid ? undefined : each;
}

function expectedArray(
  { minItems = 0, maxItems = Infinity, reading }: Declaration,
  value: unknown,
): string | undefined {
  const item = reading?.item ?? 'item';
  if (!Array.isArray(value)) return `an array of ${item}s`;
  if (value.length > maxItems) return `at most ${maxItems} ${item}s`;
  return value.length < minItems ? `at least one ${item}` : undefined;
}

function expectedValue(declaration: Declaration, value: unknown): string | undefined {
  if (accepts(declaration, value)) return undefined;
  const { type, enum: values, minimum, maximum, properties = {}, reading } = declaration;
  if (reading?.expected !== undefined) return reading.expected;
  if (values)
    return values
      .map((each) => JSON.stringify(each))
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`;
  return type === 'boolean' ? 'true or false' : `an object {${Object.keys(properties).join(', ')}}`;
}

function accepts(declaration: Declaration, value: unknown): boolean {
  const { type, enum: values, pattern, minimum = -Infinity, maximum = Infinity, reading } = declaration;
  if (reading?.accepts) return reading.accepts(value);
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'boolean':
      return isBoolean(value);
    case 'integer':
      return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    case 'string':
      return (
        isString(value) &&
        (values === undefined || values.includes(value)) &&
        (pattern === undefined || new RegExp(pattern).test(value))
      );
    case undefined:
      return true;
  }
}
