import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { GeneratorResponse, ListedGeneratorResponse } from './generator-response.js';
import { ListGeneratorsQuery } from './list-generators.query.js';
import { RegisterGeneratorDto } from './register-generator.dto.js';

const DEFINITION = {
  name: '@acme/people:greeting',
  version: '1.0.0',
  description: 'A greeting.',
  params: { who: { type: 'string', default: 'world' } },
  body: 'Hello {{who}}',
};
const LISTED_EXAMPLE = {
  id: '@acme/people:greeting@1.0.0',
  name: DEFINITION.name,
  version: DEFINITION.version,
  description: DEFINITION.description,
  output: 'string',
  created_at: '2026-11-21T09:30:00.000Z',
};
const EXAMPLE = {
  ...LISTED_EXAMPLE,
  definition: DEFINITION,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  versions: ['1.0.0'],
};

export const GENERATORS = operations('Generators', {
  listGenerators: {
    method: 'GET',
    path: '/v1/generators',
    client: 'generators.list',
    summary: 'lists the registered compositions, with one entry for each version',
    description: 'Returns the newest composition first. Each version is a separate item.',
    role: 'viewer',
    scope: 'generators:read',
    query: ListGeneratorsQuery,
    example: { query: { page: 1, per_page: 20 } },
    response: pageResponse(
      'A page of registered compositions.',
      'generators',
      ListedGeneratorResponse,
      LISTED_EXAMPLE,
    ),
  },
  registerGenerator: {
    method: 'POST',
    path: '/v1/generators',
    client: 'generators.register',
    summary: 'registers a composition, or a new version of a registered one',
    description:
      'The server compiles the composition first. It refuses an unknown reference and suggests a similar name. A registered version never changes.',
    role: 'member',
    scope: 'generators:write',
    body: RegisterGeneratorDto,
    example: { body: DEFINITION },
    status: 201,
    location: '/v1/generators/:id',
    response: { description: 'The composition.', data: GeneratorResponse, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getGenerator: {
    method: 'GET',
    path: '/v1/generators/:id',
    client: 'generators.get',
    summary:
      'shows a registered composition; `name@version` selects a version, and a name its highest version',
    role: 'viewer',
    scope: 'generators:read',
    resource: 'generator',
    response: { description: 'The composition.', data: GeneratorResponse, example: EXAMPLE },
  },
  deleteGenerator: {
    method: 'DELETE',
    path: '/v1/generators/:id',
    client: 'generators.delete',
    summary: 'deletes a registered composition; `name@version` selects one version, and a name all versions',
    description: 'Jobs that were accepted before keep their copy of the composition.',
    role: 'member',
    scope: 'generators:write',
    calls: 'always_served',
    resource: 'generator',
    response: deletedResponse('The composition is deleted.', LISTED_EXAMPLE.id),
  },
});
