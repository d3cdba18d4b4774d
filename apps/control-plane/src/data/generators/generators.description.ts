import type { OperationDescription } from '../../platform/http/operations/operation-description.js';
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

export const GENERATOR_DESCRIPTIONS = {
  listGenerators: {
    tag: 'Generators',
    description: 'Returns the newest composition first. Each version is a separate item.',
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
    tag: 'Generators',
    description:
      'The server compiles the composition first. It refuses an unknown reference and suggests a similar name. A registered version never changes.',
    body: RegisterGeneratorDto,
    example: { body: DEFINITION },
    response: { description: 'The composition.', data: GeneratorResponse, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getGenerator: {
    tag: 'Generators',
    response: { description: 'The composition.', data: GeneratorResponse, example: EXAMPLE },
  },
  deleteGenerator: {
    tag: 'Generators',
    description: 'Jobs that were accepted before keep their copy of the composition.',
    response: deletedResponse('The composition is deleted.', LISTED_EXAMPLE.id),
  },
} satisfies Record<string, OperationDescription>;
