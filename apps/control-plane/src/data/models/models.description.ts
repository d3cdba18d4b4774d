import { Type } from 'typebox';

import type { OperationDescription } from '../../platform/http/operations/operation-description.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { PrivateModelResponse } from '../private-models/private-model-response.js';
import { ListModelsQuery } from './list-models.query.js';
import {
  ListedModelResponse,
  ListedPrivateModelResponse,
  ModelResponse,
  UploadedModelResponse,
} from './model-response.js';
import { UploadModelDto } from './custom/upload-model.dto.js';

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
    response: pageResponse(
      'A page of models.',
      'models',
      Type.Union([ListedModelResponse, ListedPrivateModelResponse]),
      LISTED_EXAMPLE,
    ),
  },
  uploadModel: {
    tag: 'Models',
    description:
      'The locale is read from the file. The id is the given `id`, or `custom/` and a slug of the name. Files that agents trained or that contain original values are refused. An uploaded model therefore supports neither the mode `real_word` nor the constraint `exclude_originals`.',
    body: UploadModelDto,
    example: { body: { name: 'Street names', description: 'Streets of a city' } },
    response: { description: 'The model.', data: UploadedModelResponse, example: UPLOADED_EXAMPLE },
    refusals: ['conflict'],
  },
  getModel: {
    tag: 'Models',
    response: {
      description: 'The model.',
      data: Type.Union([ModelResponse, ListedPrivateModelResponse]),
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
    response: pageResponse('A page of models.', 'models', PrivateModelResponse, AGENT_EXAMPLE),
  },
} satisfies Record<string, OperationDescription>;
