import type { BuiltinModelDescription } from '../compute/models/describe-builtin-models.js';
import {
  constraintsOf,
  NO_VARIETY,
  type ModelDescription,
  type ModelFacts,
} from '../compute/models/describe-model.js';
import type { PrivateModelResponse } from '../private-models/private-models.service.js';
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
export interface UploadedModelResponse {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  readonly type: 'builtin' | 'custom';
  readonly ngram_order: number;
  readonly created_at: string;
}

/** A model in a list. The n-gram fields are null for a list of values and for a composition. */
export interface ListedModelResponse extends Omit<UploadedModelResponse, 'ngram_order'> {
  readonly kind: BuiltinModelDescription['kind'];
  readonly ngram_order: number | null;
  readonly token_type: 'char' | 'word' | null;
}

export interface ModelResponse extends ListedModelResponse, ModelFacts {
  readonly description: string | null;
  readonly token_count: number | null;
  readonly ngram_count: number | null;
  readonly updated_at: string;
}

/** A model that an agent trained, in a list of models. */
export interface ListedPrivateModelResponse extends PrivateModelResponse {
  readonly type: 'private';
  /** Agents train n-gram models only. */
  readonly kind: 'ngram';
}

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
