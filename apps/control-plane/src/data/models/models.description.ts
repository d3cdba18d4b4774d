import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../platform/http/operations/operation-description.js';
import {
  deletedResponse,
  id,
  instant,
  nullable,
  oneOf,
  pageResponse,
} from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
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
    description: '`<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model.',
  }),
  name: Type.String({ description: 'Display name as given in the upload.' }),
  locale: Type.String({ description: 'Locale of the model: `<lang>_<REGION>`.' }),
  type: oneOf(['builtin', 'custom'], 'Whether the model is part of the product or was uploaded.'),
  ngram_order: Type.Integer({ minimum: 1, description: 'N-gram order.' }),
  created_at: instant('When the model was uploaded. A fixed date for a built-in model.'),
};
const NO_NGRAM = 'null for a list of values and for a composition.';
const LISTED_FIELDS = {
  ...UPLOADED_FIELDS,
  kind: oneOf(MODEL_KINDS, 'The kind of the model.'),
  ngram_order: nullable(Type.Integer({ minimum: 1 }), `N-gram order; ${NO_NGRAM}`),
  token_type: nullable(oneOf(['char', 'word'], 'Token kind.'), `Token kind; ${NO_NGRAM}`),
};

const UPLOADED_MODEL = schemaOf<UploadedModelResponse>('UploadedModel')(Type.Object(UPLOADED_FIELDS));
const LISTED_MODEL = schemaOf<ListedModelResponse>('ListedModel')(Type.Object(LISTED_FIELDS));

const MODEL = schemaOf<ModelResponse>('Model')(
  Type.Object({
    ...LISTED_FIELDS,
    description: nullable(Type.String(), 'Description as given in the upload.'),
    licence: Type.String({
      description: 'SPDX expression of the licence of the training data; may be empty.',
    }),
    source: Type.String({ description: 'Origin of the training data; may be empty.' }),
    modes: Type.Array(Type.String(), {
      description:
        'Generation modes that the model supports. An uploaded model does not support `real_word`.',
    }),
    constraints: Type.Array(Type.String(), {
      description:
        'Top-level constraints that the model supports. An uploaded model does not support `exclude_originals`.',
    }),
    keys: nullable(
      Type.Array(Type.String()),
      'The lists of a map of lists. A generator of the type `list` selects one with `key`. Null for any other model.',
    ),
    distinct_values: nullable(Type.Integer({ minimum: 0 }), 'Number of distinct training values.'),
    total_weight: nullable(Type.Number({ minimum: 0 }), 'Sum of the weights of all training values.'),
    min_values: nullable(
      Type.Integer({ minimum: 0 }),
      'The model contains only patterns that at least this many distinct values share. 1 keeps all patterns.',
    ),
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
    token_count: nullable(Type.Integer({ minimum: 0 }), `Number of training tokens; ${NO_NGRAM}`),
    ngram_count: nullable(Type.Integer({ minimum: 0 }), `Number of distinct n-grams; ${NO_NGRAM}`),
    updated_at: instant('When the model was last changed.'),
  }),
);

const PRIVATE_FIELDS = {
  id: Type.String({ description: 'Id of the model: `private/<name>`.' }),
  name: Type.String(),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'HMAC of the model with a key that never leaves the agent.',
  }),
  agent_id: id('agt', 'The agent that trained and stores the model.'),
  trained_at: instant('When the model was last trained.'),
};

/**
 * The fields that the control plane stores for a model that an agent trained. The file stays on the agent.
 */
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
    description: 'Uploaded models come first, the newest at the top. Built-in models follow, ordered by id.',
    query: ListModelsQuery,
    example: { query: { locale: 'en_US', type: 'all', per_page: 2 } },
    response: pageResponse('A page of models.', 'models', LISTED_OR_PRIVATE_MODEL, LISTED_EXAMPLE),
  },
  uploadModel: {
    tag: 'Models',
    description:
      'The locale is read from the file. The id is the given `id`, or `custom/` and a slug of the name. Files that agents trained or that contain original values are refused. An uploaded model therefore supports neither the mode `real_word` nor the constraint `exclude_originals`.',
    body: UploadModelDto,
    example: { body: { name: 'Street names', description: 'Streets of a city' } },
    response: { description: 'The model.', data: UPLOADED_MODEL, example: UPLOADED_EXAMPLE },
    refusals: ['conflict'],
  },
  getModel: {
    tag: 'Models',
    response: {
      description: 'The model.',
      data: Type.Union([MODEL, PRIVATE_MODEL]),
      example: {
        ...LISTED_EXAMPLE,
        description: 'Streets of a city',
        licence: 'CC0-1.0',
        source: 'open data',
        modes: ['word'],
        constraints: ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length'],
        keys: null,
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
  downloadModel: {
    tag: 'Models',
    description:
      'The file has exactly the bytes that were uploaded, and the `ETag` is their SHA-256 in hex. Built-in models and models that agents trained have no file here.',
    response: {
      description: 'The model file.',
      content: {
        'application/octet-stream': {
          schema: {
            type: 'string',
            contentMediaType: 'application/octet-stream',
            description: 'A model file. docs/reference/ngram-format.md documents its format.',
          },
        },
      },
      isTagged: true,
    },
  },
  deleteModel: {
    tag: 'Models',
    description: 'You cannot delete a built-in model or a model that a mock endpoint uses.',
    response: deletedResponse('The model is deleted.', UPLOADED_EXAMPLE.id),
    refusals: ['conflict'],
  },
  listAgentModels: {
    tag: 'Agents',
    description:
      'The models that were trained last come first. The control plane knows only their names and keyed hashes.',
    query: PageQuery,
    response: pageResponse('A page of models.', 'models', AGENT_MODEL, AGENT_EXAMPLE),
  },
} satisfies Record<string, OperationDescription>;
