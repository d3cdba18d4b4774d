import { Type } from 'typebox';

import { nullable, nullableCount, type ResponseOf } from '../../../platform/http/operations/schemas.js';

/** Facts that are measured by sampling a model. Each is null if it cannot be measured for this kind of model. */
export const ModelVariety = Type.Object({
  novel_mass: nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Probability that a freely generated word is not one of the training values.',
  ),
  effective_values: nullable(
    Type.Number({ minimum: 0 }),
    'Number of equally likely values that would have the same variety.',
  ),
  distinct_capacity: nullable(
    Type.Number({ minimum: 0 }),
    'Number of distinct values that `unique` can generate before it is exhausted.',
  ),
});
export type ModelVariety = ResponseOf<typeof ModelVariety>;

/** The fields that only the response for a single model has, and that are read from its file. */
export const ModelFacts = Type.Object({
  licence: Type.String({
    description: 'SPDX expression of the licence of the training data; may be empty.',
  }),
  source: Type.String({ description: 'Origin of the training data; may be empty.' }),
  modes: Type.Array(Type.String(), {
    description: 'Generation modes that the model supports. An uploaded model does not support `real_word`.',
  }),
  constraints: Type.Array(Type.String(), {
    description:
      'Top-level constraints that the model supports. An uploaded model does not support `exclude_originals`.',
  }),
  keys: nullable(
    Type.Array(Type.String()),
    'The lists of a map of lists. A generator of the type `list` selects one with `key`. Null for any other model.',
  ),
  distinct_values: nullableCount('Number of distinct training values.'),
  total_weight: nullable(Type.Number({ minimum: 0 }), 'Sum of the weights of all training values.'),
  min_values: nullableCount(
    'The model contains only patterns that at least this many distinct values share. 1 keeps all patterns.',
  ),
  ...ModelVariety.properties,
});
export type ModelFacts = ResponseOf<typeof ModelFacts>;
