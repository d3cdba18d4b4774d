import { Type } from 'typebox';

import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
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

export const MODELS = operations('Models', {
  listModels: {
    method: 'GET',
    path: '/v1/models',
    client: 'models.list',
    summary: 'lists the models',
    description: 'Uploaded models come first, the newest at the top. Built-in models follow, ordered by id.',
    role: 'viewer',
    scope: 'models:read',
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
    method: 'POST',
    path: '/v1/models',
    client: 'models.upload',
    summary: 'uploads a custom model',
    description:
      'The locale is read from the file. The id is the given `id`, or `custom/` and a slug of the name. Files that agents trained or that contain original values are refused. An uploaded model therefore supports neither the mode `real_word` nor the constraint `exclude_originals`.',
    role: 'member',
    scope: 'models:write',
    takes: 'multipart/form-data',
    body: UploadModelDto,
    example: { body: { name: 'Street names', description: 'Streets of a city' } },
    status: 201,
    location: '/v1/models/:id',
    response: { description: 'The model.', data: UploadedModelResponse, example: UPLOADED_EXAMPLE },
    refusals: ['conflict'],
  },
  getModel: {
    method: 'GET',
    path: '/v1/models/:id',
    client: 'models.get',
    summary: 'shows a model',
    role: 'viewer',
    scope: 'models:read',
    resource: 'model',
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
    method: 'GET',
    path: '/v1/models/:id/content',
    client: 'models.download',
    summary: 'downloads the file of a custom model',
    description:
      'The file has exactly the bytes that were uploaded, and the `ETag` is their SHA-256 in hex. Built-in models and models that agents trained have no file here.',
    role: 'viewer',
    scope: 'models:read',
    resource: 'model',
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
    method: 'DELETE',
    path: '/v1/models/:id',
    client: 'models.delete',
    summary: 'deletes a custom model, or a model that an agent trained',
    description: 'You cannot delete a built-in model or a model that a mock endpoint uses.',
    role: 'member',
    scope: 'models:write',
    calls: 'always_served',
    resource: 'model',
    response: deletedResponse('The model is deleted.', UPLOADED_EXAMPLE.id),
    refusals: ['conflict'],
  },
});
