import { Type, type TSchema } from 'typebox';

import type { Deleted } from '../dto/deleted.dto.js';
import { schemaOf } from './operation-description.js';

export const instant = (description: string) => Type.String({ format: 'date-time', description });

export const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });

export const id = (prefix: string, description: string) =>
  Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$`, description });

export const nullableId = (prefix: string, description: string) =>
  nullable(Type.String({ pattern: `^${prefix}_[0-9A-Z]{26}$` }), description);

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Describes the response of a list operation: a page of items under `key`, with one example item. */
export const pageResponse = (description: string, key: string, item: TSchema, example: unknown) => ({
  description,
  data: Type.Object({
    [key]: Type.Array(item),
    total: count('Number of items on all pages.'),
    page: Type.Integer({ minimum: 1, description: 'Value from the request, or its default.' }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Value from the request, or its default.',
    }),
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

const DELETED = schemaOf<Deleted>('Deleted')(
  Type.Object({
    deleted: Type.Literal(true),
    id: Type.String({ description: 'Id of the deleted resource.' }),
  }),
);

/** Describes the response of a deletion. */
export const deletedResponse = (description: string, deletedId: string) => ({
  description,
  data: DELETED,
  example: { deleted: true, id: deletedId },
});
