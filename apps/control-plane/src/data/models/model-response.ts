import { Type } from 'typebox';

import {
  instant,
  named,
  nullable,
  nullableCount,
  oneOf,
  type ResponseOf,
} from '../../platform/http/operations/schemas.js';
import type { BuiltinModelDescription } from '../compute/models/describe-builtin-models.js';
import { constraintsOf, NO_VARIETY, type ModelDescription } from '../compute/models/describe-model.js';
import { ModelFacts } from '../compute/models/model-facts.js';
import { PrivateModelResponse } from '../private-models/private-model-response.js';
import { MODEL_KINDS } from './list-models.query.js';
import { customModelId } from './model-id.js';

/** All fields of a model. The responses contain subsets of them. */
export interface Model extends Omit<ModelDescription, 'facts'> {
  readonly facts: Partial<ModelFacts>;
  readonly id: string;
  readonly name: string;
  readonly type: 'builtin' | 'custom';
  readonly kind: BuiltinModelDescription['kind'];
  readonly description: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The response to an upload. */
export const UploadedModelResponse = named('UploadedModel', {
  id: Type.String({
    description: '`<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model.',
  }),
  name: Type.String({ description: 'Display name as given in the upload.' }),
  locale: Type.String({ description: 'Locale of the model: `<lang>_<REGION>`.' }),
  type: oneOf(['builtin', 'custom'], 'Whether the model is part of the product or was uploaded.'),
  ngram_order: Type.Integer({ minimum: 1, description: 'N-gram order.' }),
  created_at: instant('When the model was uploaded. A fixed date for a built-in model.'),
});
export type UploadedModelResponse = ResponseOf<typeof UploadedModelResponse>;

const NO_NGRAM = 'null for a list of values and for a composition.';

export const ListedModelResponse = named('ListedModel', {
  ...UploadedModelResponse.properties,
  kind: oneOf(MODEL_KINDS, 'The kind of the model.'),
  ngram_order: nullable(Type.Integer({ minimum: 1 }), `N-gram order; ${NO_NGRAM}`),
  token_type: nullable(oneOf(['char', 'word'], 'Token kind.'), `Token kind; ${NO_NGRAM}`),
});
export type ListedModelResponse = ResponseOf<typeof ListedModelResponse>;

export const ModelResponse = named('Model', {
  ...ListedModelResponse.properties,
  description: nullable(Type.String(), 'Description as given in the upload.'),
  ...ModelFacts.properties,
  token_count: nullableCount(`Number of training tokens; ${NO_NGRAM}`),
  ngram_count: nullableCount(`Number of distinct n-grams; ${NO_NGRAM}`),
  updated_at: instant('When the model was last changed.'),
});
export type ModelResponse = ResponseOf<typeof ModelResponse>;

/** A model that an agent trained, in a list of models. Agents train n-gram models only. */
export const ListedPrivateModelResponse = named('PrivateModel', {
  ...PrivateModelResponse.properties,
  type: Type.Literal('private'),
  kind: Type.Literal('ngram'),
});
export type ListedPrivateModelResponse = ResponseOf<typeof ListedPrivateModelResponse>;

/** @param model an n-gram model, because only these can be uploaded */
export function toUploadedModelResponse(
  model: Model & { readonly ngramOrder: number },
): UploadedModelResponse {
  const { id, name, locale, type, ngramOrder, createdAt } = model;
  return { id, name, locale, type, ngram_order: ngramOrder, created_at: createdAt.toISOString() };
}

export function toListedModelResponse(model: Model): ListedModelResponse {
  const { id, name, locale, type, kind, ngramOrder, tokenType, createdAt } = model;
  return {
    ...{ id, name, locale, type, kind },
    ngram_order: ngramOrder,
    token_type: tokenType,
    created_at: createdAt.toISOString(),
  };
}

export function toModelResponse(model: Model): ModelResponse {
  return {
    ...toListedModelResponse(model),
    description: model.description,
    ...NO_FACTS,
    ...model.facts,
    token_count: model.tokenCount,
    ngram_count: model.ngramCount,
    updated_at: model.updatedAt.toISOString(),
  };
}

export function toListedPrivateModel({
  id,
  name,
  ...model
}: PrivateModelResponse): ListedPrivateModelResponse {
  return { id, name, type: 'private', kind: 'ngram', ...model };
}

/** The facts of a model that was uploaded before facts were stored. */
const NO_FACTS: ModelFacts = {
  licence: '',
  source: '',
  modes: [],
  constraints: constraintsOf(false),
  keys: null,
  distinct_values: null,
  total_weight: null,
  min_values: null,
  ...NO_VARIETY,
};

/** The stored fields of an uploaded model. Its `name` is the part of the id after `custom/`. */
type Uploaded = Omit<Model, 'id' | 'type' | 'kind' | 'ngramOrder'> & {
  readonly displayName: string | null;
  readonly ngramOrder: number;
};

export function ofCustom({ displayName, ...model }: Uploaded): Model & { readonly ngramOrder: number } {
  const id = customModelId(model.name);
  return { ...model, id, name: displayName ?? model.name, type: 'custom', kind: 'ngram' };
}

export function ofBuiltin(model: BuiltinModelDescription): Model {
  return { ...model, type: 'builtin', description: null, createdAt: SHIPPED_AT, updatedAt: SHIPPED_AT };
}

/** The time of creation of built-in models. It is earlier than any upload. */
const SHIPPED_AT = new Date('2026-01-01T00:00:00Z');
