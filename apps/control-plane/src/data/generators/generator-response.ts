import { parseExactJson } from '@understudy/expression';

import { generatorId } from './generator-id.js';
import type { GeneratorEntity } from './generator.entity.js';

export interface ListedGeneratorResponse {
  /** `name@version` */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Kind of the generated values. */
  readonly output: string;
  readonly created_at: string;
}

export interface GeneratorResponse extends ListedGeneratorResponse {
  /** The definition as it was registered. */
  readonly definition: unknown;
  /** SHA-256 of the definition, which agents verify. */
  readonly hash: string;
  /** All versions of the generator, the highest first. */
  readonly versions: readonly string[];
}

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
