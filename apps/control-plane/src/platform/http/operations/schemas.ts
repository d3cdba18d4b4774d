import { Type, type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox';

const names = new WeakMap<object, string>();

/** Describes a response, or an object in one, that the OpenAPI document lists under this name. */
export function named<Properties extends TProperties>(
  name: string,
  properties: Properties,
  options?: TObjectOptions,
) {
  const schema = Type.Object(properties, options);
  names.set(schema, name);
  return schema;
}

export function nameOfSchema(schema: object): string | undefined {
  return names.get(schema);
}

/** The immutable type of the values that a schema describes. */
export type ResponseOf<Schema extends TSchema> = Immutable<Static<Schema>>;

type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

export const instant = (description: string) => Type.String({ format: 'date-time', description });

export const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const nullableInstant = (description: string) =>
  nullable(Type.String({ format: 'date-time' }), description);

export const nullableCount = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });

export const id = (prefix: string, description: string) =>
  Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$`, description });

export const nullableId = (prefix: string, description: string) =>
  nullable(Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$` }), description);

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The fields of a page that repeat the request. */
export const PAGE = {
  page: Type.Integer({ minimum: 1, description: 'Value from the request, or its default.' }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Value from the request, or its default.',
  }),
};

/** Describes the response of a list operation: a page of items under `key`, with one example item. */
export const pageResponse = (description: string, key: string, item: TSchema, example: unknown) => ({
  description,
  data: Type.Object({
    [key]: Type.Array(item),
    total: count('Number of items on all pages.'),
    ...PAGE,
  }),
  example: { [key]: [example], total: 1, page: 1, per_page: 20 },
});

/** The schema of the warnings about a definition. */
export const WARNINGS = Type.Array(
  Type.Object({
    field: Type.String({ description: 'Path of the field in the request.' }),
    message: Type.String(),
  }),
  {
    description:
      'Warnings about constraints that the mode of a model ignores, and about generators that may run out of values, such as `unique` over few values.',
  },
);

export const Deleted = named('Deleted', {
  deleted: Type.Literal(true),
  id: Type.String({ description: 'Id of the deleted resource.' }),
});
export type Deleted = ResponseOf<typeof Deleted>;

/** Describes the response of a deletion. */
export const deletedResponse = (description: string, deletedId: string) => ({
  description,
  data: Deleted,
  example: { deleted: true, id: deletedId },
});
