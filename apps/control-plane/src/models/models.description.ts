import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import { deletedAnswer, id, instant, nullable, oneOf, pageAnswer } from '../api-description/schemas.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { ListModelsQuery, MODEL_KINDS } from './list-models.query.js';
import type { PrivateModelResponse } from '../private-models/private-models.service.js';
import type {
  ListedModelResponse,
  ListedPrivateModelResponse,
  ModelResponse,
  UploadedModelResponse,
} from './model-response.js';
import { UploadModelDto } from './custom/upload-model.dto.js';

const UPLOADED_FIELDS = {
  id: Type.String({
    description: '`<locale>/<name>` of a built-in model, `custom/<name>` of an uploaded one.',
  }),
  name: Type.String({ description: 'Display name: as given with the upload.' }),
  locale: Type.String({ description: '`<lang>_<REGION>`.' }),
  type: oneOf(['builtin', 'custom'], 'Whether it came with the product or was uploaded.'),
  ngram_order: Type.Integer({ minimum: 1, description: 'N-gram order.' }),
  created_at: instant('When it was uploaded; of built-in models, when the product was made.'),
};
const NO_NGRAM = 'null for a list and for a composition.';
const LISTED_FIELDS = {
  ...UPLOADED_FIELDS,
  kind: oneOf(MODEL_KINDS, 'What the id stands for.'),
  ngram_order: nullable(Type.Integer({ minimum: 1 }), `N-gram order; ${NO_NGRAM}`),
  token_type: nullable(oneOf(['char', 'word'], 'Token kind.'), `Token kind; ${NO_NGRAM}`),
};

const UPLOADED_MODEL = schemaOf<UploadedModelResponse>('UploadedModel')(Type.Object(UPLOADED_FIELDS));
const LISTED_MODEL = schemaOf<ListedModelResponse>('ListedModel')(Type.Object(LISTED_FIELDS));

const MODEL = schemaOf<ModelResponse>('Model')(
  Type.Object({
    ...LISTED_FIELDS,
    description: nullable(Type.String(), 'As given with the upload.'),
    licence: Type.String({ description: 'SPDX expression of what it was made from; may be empty.' }),
    source: Type.String({ description: 'Origin of what it was made from; may be empty.' }),
    modes: Type.Array(Type.String(), {
      description: 'Generation modes that it serves; an uploaded model does not serve `real_word`.',
    }),
    constraints: Type.Array(Type.String(), {
      description:
        'Top-level constraints that it serves; an uploaded model does not serve `exclude_originals`.',
    }),
    distinct_values: nullable(Type.Integer({ minimum: 0 }), 'Different values that it was made from.'),
    total_weight: nullable(
      Type.Number({ minimum: 0 }),
      'All values that it was made from, by their weights.',
    ),
    min_values: nullable(
      Type.Integer({ minimum: 0 }),
      'Only what so many different values have in common is in it; 1 leaves nothing out.',
    ),
    novel_mass: nullable(
      Type.Number({ minimum: 0, maximum: 1 }),
      'Probability that a free word is none of the values that it was made from.',
    ),
    effective_values: nullable(
      Type.Number({ minimum: 0 }),
      'As many equally likely values would vary as much.',
    ),
    distinct_capacity: nullable(
      Type.Number({ minimum: 0 }),
      'So many different values `unique` gets without running dry.',
    ),
    token_count: nullable(Type.Integer({ minimum: 0 }), `Tokens it was trained on; ${NO_NGRAM}`),
    ngram_count: nullable(Type.Integer({ minimum: 0 }), `Distinct n-grams; ${NO_NGRAM}`),
    updated_at: instant('When it was changed.'),
  }),
);

const PRIVATE_FIELDS = {
  id: Type.String({ description: '`private/<name>`.' }),
  name: Type.String(),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'HMAC of the model under a key that never leaves the agent.',
  }),
  agent_id: id('agt', 'The agent that trained it and holds it.'),
  trained_at: instant('When it was trained last.'),
};

/** Known of a model that an agent trained: its file stays there. */
const PRIVATE_MODEL = schemaOf<ListedPrivateModelResponse>('PrivateModel')(
  Type.Object({ ...PRIVATE_FIELDS, type: Type.Literal('private'), kind: Type.Literal('ngram') }),
);

const LISTED_OR_PRIVATE_MODEL = Type.Union([LISTED_MODEL, PRIVATE_MODEL]);

const AGENT_MODEL = schemaOf<PrivateModelResponse>('AgentModel')(Type.Object(PRIVATE_FIELDS));

const UPLOADED_EXAMPLE = {
  id: 'custom/street-names',
  name: 'Street names',
  locale: 'de_DE',
  type: 'custom',
  ngram_order: 3,
  created_at: '2026-11-21T09:30:00.000Z',
};
const LISTED_EXAMPLE = { ...UPLOADED_EXAMPLE, kind: 'ngram', token_type: 'char' };
const AGENT_EXAMPLE = {
  id: 'private/customer-names',
  name: 'customer-names',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  trained_at: '2026-11-21T09:30:00.000Z',
};

export const MODEL_DESCRIPTIONS = {
  listModels: {
    tag: 'Models',
    description: 'Uploaded models first, the newest at the top; then built-in ones by id.',
    query: ListModelsQuery,
    example: { query: { locale: 'en_US', type: 'all', per_page: 2 } },
    answer: pageAnswer('A page of models.', 'models', LISTED_OR_PRIVATE_MODEL, LISTED_EXAMPLE),
  },
  uploadModel: {
    tag: 'Models',
    description:
      'The locale is read from the file. The id is `custom/` and a slug of the name, or the `id` that is given. Files that agents trained, or that hold originals, are refused; so the model serves neither the mode `real_word` nor the constraint `exclude_originals`.',
    body: UploadModelDto,
    example: { body: { name: 'Street names', description: 'Streets of a city' } },
    answer: { says: 'The model.', data: UPLOADED_MODEL, example: UPLOADED_EXAMPLE },
    refusals: ['conflict'],
  },
  getModel: {
    tag: 'Models',
    answer: {
      says: 'The model.',
      data: Type.Union([MODEL, PRIVATE_MODEL]),
      example: {
        ...LISTED_EXAMPLE,
        description: 'Streets of a city',
        licence: 'CC0-1.0',
        source: 'open data',
        modes: ['word'],
        constraints: ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length'],
        distinct_values: 5_231,
        total_weight: 41_276,
        min_values: 1,
        novel_mass: 0.62,
        effective_values: 1_480,
        distinct_capacity: 9_400,
        token_count: 41_276,
        ngram_count: 6_120,
        updated_at: '2026-11-21T09:30:00.000Z',
      },
    },
  },
  deleteModel: {
    tag: 'Models',
    description: 'A built-in model cannot be deleted, nor one that a mock endpoint draws from.',
    answer: deletedAnswer('The model is deleted.', UPLOADED_EXAMPLE.id),
    refusals: ['conflict'],
  },
  listAgentModels: {
    tag: 'Agents',
    description: 'The last trained first. Only name and keyed hash are known here.',
    query: PageQuery,
    answer: pageAnswer('A page of models.', 'models', AGENT_MODEL, AGENT_EXAMPLE),
  },
} satisfies Record<string, OperationDescription>;
