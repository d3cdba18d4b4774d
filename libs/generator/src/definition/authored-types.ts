import type { JsonObject } from './json-value.js';

/** What a definition's `type` stands for. */
export interface AuthoredType {
  readonly use: string;
  /** Keys of the definition that are gathered into params. */
  readonly keys: readonly string[];
}

/** Of the reference's table; the types of services are compiled by algorithm instead. */
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

/** Spellings of the one type whose `algorithm` names the generator. */
export const SVC_TYPE_NAMES: readonly string[] = ['svc', 'logic', 'the service'];

export function svcName(algorithm: string): string {
  return `@svc/core:logic.${algorithm}`;
}

export function svcExample(algorithm: string, params?: JsonObject): JsonObject {
  return { type: 'svc', algorithm, ...(params && { params }) };
}
