import { parseExactJson } from '@understudy/expression';
import { Type } from 'typebox';

import { instant, named, type ResponseOf } from '../../platform/http/operations/schemas.js';
import { generatorId } from './generator-id.js';
import type { GeneratorEntity } from './generator.entity.js';

export const ListedGeneratorResponse = named('ListedGenerator', {
  id: Type.String({ description: '`name@version`.' }),
  name: Type.String({ description: '`@<namespace>/<package>:<name>`, the value of `use` in definitions.' }),
  version: Type.String({ description: 'Semantic version.' }),
  description: Type.String(),
  output: Type.String({ description: 'Kind of the generated values.' }),
  created_at: instant('Time of registration.'),
});
export type ListedGeneratorResponse = ResponseOf<typeof ListedGeneratorResponse>;

export const GeneratorResponse = named('Generator', {
  ...ListedGeneratorResponse.properties,
  definition: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'The definition as it was registered.',
  }),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the definition, which agents verify.',
  }),
  versions: Type.Array(Type.String(), {
    description: 'All versions of the composition, the highest first.',
  }),
});
export type GeneratorResponse = ResponseOf<typeof GeneratorResponse>;

export type ListedGenerator = Omit<GeneratorEntity, 'organizationId' | 'definitionJson' | 'hash'>;

export function toListedGenerator(generator: ListedGenerator): ListedGeneratorResponse {
  const { name, version, description, output, createdAt } = generator;
  return {
    id: generatorId(name, version),
    name,
    version,
    description,
    output,
    created_at: createdAt.toISOString(),
  };
}

export function toGeneratorResponse(
  generator: GeneratorEntity,
  versions: readonly string[],
): GeneratorResponse {
  const definition = parseExactJson(generator.definitionJson);
  return { ...toListedGenerator(generator), definition, hash: generator.hash, versions };
}
