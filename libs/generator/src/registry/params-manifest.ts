import { didYouMean } from '@understudy/expression';
import { ParameterFault } from '../definition/errors.js';
import { joinPath, describe, isObject, own, setOwn, type JsonObject } from '../definition/json-value.js';

export const PARAM_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'any'] as const;
export type ParamType = (typeof PARAM_TYPES)[number];

/** One param of a generator. */
export interface ParamDeclaration {
  /** A `number` is finite. An `integer` is from -(2^53 - 1) to 2^53 - 1. Values are never converted. */
  readonly type: ParamType;
  readonly description?: string;
  /** False if absent. */
  readonly required?: boolean;
  /** The value of an absent param; null if there is no default. */
  readonly default?: unknown;
  /** The bounds of a number, both included. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** All values that are allowed for a string. */
  readonly values?: readonly string[];
}

/**
 * The declared params of a generator, by name. Look up names with `own`: the author of a composition may
 * choose a name such as `constructor`.
 */
export type ParamsManifest = Readonly<Record<string, ParamDeclaration>>;

/** @throws ParameterFault for the first name that is not in the manifest */
export function checkNames(values: JsonObject, manifest: ParamsManifest, path: string): void {
  const known = Object.keys(manifest);
  for (const key of Object.keys(values)) {
    if (Object.hasOwn(manifest, key)) continue;
    const list = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
    throw new ParameterFault(
      joinPath(path, key),
      `is not a parameter of this generator (${list})${didYouMean(key, known)}`,
    );
  }
}

/**
 * Returns the given value of a param, or its default. Accepts null if the param is optional and has no
 * default.
 * @throws ParameterFault
 */
export function checkValue(value: unknown, declaration: ParamDeclaration, path: string): unknown {
  if (value === undefined) {
    if (declaration.required === true) throw new ParameterFault(path, `is required (${declaration.type})`);
    return declaration.default ?? null;
  }
  if (value === null && declaration.required !== true && (declaration.default ?? null) === null) return null;
  const { type, minimum = -Infinity, maximum = Infinity, values } = declaration;
  if (!isOfType(value, type)) {
    throw new ParameterFault(path, `must be ${DESCRIPTIONS[type]}, got ${describe(value)}`);
  }
  if (typeof value === 'number' && !(value >= minimum && value <= maximum)) {
    throw new ParameterFault(path, `must be ${range(minimum, maximum)}, got ${value}`);
  }
  if (values !== undefined && typeof value === 'string' && !values.includes(value)) {
    throw new ParameterFault(path, `must be one of ${values.join(', ')}${didYouMean(value, values)}`);
  }
  return value;
}

/** Reads the manifest of a composition. The composition's author is not trusted. @throws ParameterFault */
export function readManifest(params: unknown, path: string): ParamsManifest {
  if (params === undefined) return {};
  if (!isObject(params)) throw new ParameterFault(path, `must be an object, got ${describe(params)}`);
  const manifest: Record<string, ParamDeclaration> = {};
  for (const [name, declaration] of Object.entries(params)) {
    setOwn(manifest, name, readDeclaration(declaration, joinPath(path, name)));
  }
  return manifest;
}

const DECLARATION: ParamsManifest = {
  type: { type: 'string', required: true, values: PARAM_TYPES },
  description: { type: 'string' },
  required: { type: 'boolean', default: false },
  default: { type: 'any' },
};

function readDeclaration(declaration: unknown, path: string): ParamDeclaration {
  if (!isObject(declaration)) {
    throw new ParameterFault(path, `must be an object with a type, got ${describe(declaration)}`);
  }
  checkNames(declaration, DECLARATION, path);
  for (const [key, inner] of Object.entries(DECLARATION)) {
    checkValue(own(declaration, key), inner, joinPath(path, key));
  }
  const read = declaration as unknown as ParamDeclaration;
  if (Object.hasOwn(declaration, 'default')) {
    if (read.required === true) {
      throw new ParameterFault(
        joinPath(path, 'default'),
        'a required param cannot have a default, because a value is always given',
      );
    }
    checkValue(read.default, { type: read.type }, joinPath(path, 'default'));
  }
  return read;
}

const DESCRIPTIONS: Readonly<Record<ParamType, string>> = {
  string: 'a string',
  integer: 'an integer of at most 2^53 - 1',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  any: 'a value',
};

function isOfType(value: unknown, type: ParamType): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function range(minimum: number, maximum: number): string {
  if (maximum === Infinity) return `at least ${minimum}`;
  return minimum === -Infinity ? `at most ${maximum}` : `from ${minimum} to ${maximum}`;
}
