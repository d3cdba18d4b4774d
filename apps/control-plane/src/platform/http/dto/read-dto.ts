import { hasMembers } from '@understudy/expression';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { type Declaration, expectedButGot, fieldPath, unknownFields } from '@understudy/sync-job';

import type { FieldProblem } from '../errors/api-error.js';
import { declarationOf, problemsOfDeclared } from './declared.js';

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
    const declaration = known.get(key);
    if (declaration) for (const problem of unknownFields(declaration, value, here)) unknown.push(problem);
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

type KnownProperties = ReadonlyMap<string, Declaration | undefined>;
const propertiesOf = new WeakMap<DtoClass, KnownProperties>();

/**
 * Returns the properties of a DTO, with the declarations of those that a shared library declares. They can be cached
 * because all decorators run before the first request.
 */
function knownProperties(dto: DtoClass): KnownProperties {
  const known = propertiesOf.get(dto);
  if (known) return known;
  const storage = getMetadataStorage();
  const byProperty = storage.groupByPropertyName(storage.getTargetValidationMetadatas(dto, '', true, false));
  const properties = new Map(
    Object.entries(byProperty).map(([property, validators]) => [property, declarationOf(validators)]),
  );
  propertiesOf.set(dto, properties);
  return properties;
}

function flatten(
  { property, value, constraints, children }: ValidationError,
  path: string,
  parent: object,
): FieldProblem[] {
  const field = fieldPath(path, Array.isArray(parent) ? Number(property) : property);
  const declaration = knownProperties(parent.constructor as DtoClass).get(property);
  if (declaration) return problemsOfDeclared(declaration, value, field);
  const own = Object.values(constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(children ?? []).flatMap((child) => flatten(child, field, value as object))];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return hasMembers(value) && !Array.isArray(value);
}
