import { hasMembers } from '@understudy/expression';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { fieldPath, expectedButGot } from '@understudy/sync-job';

import type { FieldProblem } from '../errors/api-error.js';

export type DtoClass = new () => object;

/** For each prototype of a DTO, the DTO class of each nested property. */
const nested = new WeakMap<object, Map<string, () => DtoClass>>();

/**
 * Marks a property that contains another DTO or an array of DTOs. Add class-validator's `@ValidateNested` to
 * validate the nested DTOs.
 */
export function Nested(type: () => DtoClass): PropertyDecorator {
  return (target, property) => {
    const properties = nested.get(target) ?? new Map<string, () => DtoClass>();
    nested.set(target, properties.set(String(property), type));
  };
}

export function nestedType(dto: DtoClass, property: string): DtoClass | undefined {
  return nested.get(dto.prototype as object)?.get(property)?.();
}

/**
 * Creates a DTO from JSON and checks it with the DTO's class-validator decorators. It converts nothing:
 * strings stay strings. Values without a DTO class (`columns`, `schema`) are copied unchanged with all their
 * keys. class-transformer cannot do this: it fails on keys named `constructor`.
 * @returns the DTO, or all problems; each field that the DTO does not declare is a problem
 */
export function readDto<T extends object>(
  dto: new () => T,
  value: unknown,
  options: { root: string; hints?: ReadonlyMap<string, string> },
): { dto: T } | { problems: FieldProblem[] } {
  if (!isRecord(value)) {
    return { problems: [{ field: options.root, message: expectedButGot('an object', value) }] };
  }
  const unknown: FieldProblem[] = [];
  const instance = instantiate(dto, value, '', unknown, options.hints) as T;
  const errors = validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });
  const problems = [...unknown, ...errors.flatMap((error) => flatten(error, '', instance))];
  return problems.length > 0 ? { problems } : { dto: instance };
}

function instantiate(
  dto: DtoClass,
  source: Record<string, unknown>,
  path: string,
  unknown: FieldProblem[],
  hints: ReadonlyMap<string, string> | undefined,
): object {
  const known = knownProperties(dto);
  const instance: object = new dto();
  for (const [key, value] of Object.entries(source)) {
    const here = fieldPath(path, key);
    if (!known.has(key)) {
      unknown.push({ field: here, message: hints?.get(key) ?? 'is not a known field' });
      continue;
    }
    const nested = nestedType(dto, key);
    Reflect.set(instance, key, nested ? instantiateAll(nested, value, here, unknown, hints) : value);
  }
  return instance;
}

function instantiateAll(
  dto: DtoClass,
  value: unknown,
  path: string,
  unknown: FieldProblem[],
  hints: ReadonlyMap<string, string> | undefined,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => {
      if (isRecord(item)) return instantiate(dto, item, fieldPath(path, index), unknown, hints);
      // An array or an ExactDecimal is not a valid item. It becomes null, which class-validator refuses.
      // class-validator would accept any object, and validate the objects in an array.
      return typeof item === 'object' ? null : item;
    });
  }
  return isRecord(value) ? instantiate(dto, value, path, unknown, hints) : value;
}

const propertiesOf = new WeakMap<DtoClass, ReadonlySet<string>>();

/**
 * Returns the declared properties of a DTO. They can be cached because all decorators run before the first
 * request.
 */
function knownProperties(dto: DtoClass): ReadonlySet<string> {
  const known = propertiesOf.get(dto);
  if (known) return known;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const properties = new Set(metadata.map((entry) => entry.propertyName));
  propertiesOf.set(dto, properties);
  return properties;
}

function flatten(error: ValidationError, path: string, parent: unknown): FieldProblem[] {
  const field = fieldPath(path, Array.isArray(parent) ? Number(error.property) : error.property);
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, field, error.value))];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return hasMembers(value) && !Array.isArray(value);
}
