import type { JsonObject } from './json-value.js';

/** The generator that a definition's `type` selects. */
export interface AuthoredType {
  readonly use: string;
  /** The keys of the definition that become params. */
  readonly keys: readonly string[];
}

/**
 * The values of `type` that select a generator directly. For the types in `SVC_TYPE_NAMES`, `algorithm`
 * selects the generator.
 */
export const AUTHORED_TYPES: ReadonlyMap<string, AuthoredType> = new Map([
  ['list', { use: '@svc/core:list', keys: ['source', 'values', 'key', 'where'] }],
  ['model', { use: '@svc/core:model', keys: ['source', 'generation'] }],
  [
    'statistical',
    {
      use: '@svc/core:statistical',
      keys: ['mode', 'values', 'distribution', 'params', 'differential_privacy', 'variables', 'correlations'],
    },
  ],
  ['event_sequence', { use: '@svc/core:event_sequence', keys: ['events'] }],
]);

/** The accepted spellings of `svc`, the type whose `algorithm` names the generator. */
export const SVC_TYPE_NAMES: readonly string[] = ['svc', 'logic', 'the service'];

export function svcName(algorithm: string): string {
  return `@svc/core:logic.${algorithm}`;
}

export function svcExample(algorithm: string, params?: JsonObject): JsonObject {
  return { type: 'svc', algorithm, ...(params && { params }) };
}
