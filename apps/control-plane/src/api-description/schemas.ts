import { Type, type TSchema } from 'typebox';

import type { Deleted } from '../http/dto/deleted.dto.js';
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

/** The answer of a list: a page of items under their key, and the same with one example. */
export const pageAnswer = (says: string, key: string, item: TSchema, example: unknown) => ({
  says,
  data: Type.Object({
    [key]: Type.Array(item),
    total: count('Number of items on all pages.'),
    page: Type.Integer({ minimum: 1, description: 'As asked for.' }),
    per_page: Type.Integer({ minimum: 1, maximum: 100, description: 'As asked for.' }),
  }),
  example: { [key]: [example], total: 1, page: 1, per_page: 20 },
});

/** What a definition asks for and does not get, and what may go wrong. */
export const WARNINGS = Type.Array(
  Type.Object({ field: Type.String({ description: 'Path in the request.' }), message: Type.String() }),
  {
    description:
      'Constraints that the mode of a model does not apply, and generators that may run dry: `unique` over few values.',
  },
);

const DELETED = schemaOf<Deleted>('Deleted')(
  Type.Object({ deleted: Type.Literal(true), id: Type.String({ description: 'Of what was deleted.' }) }),
);

/** The answer of a deletion. */
export const deletedAnswer = (says: string, deletedId: string) => ({
  says,
  data: DELETED,
  example: { deleted: true, id: deletedId },
});
