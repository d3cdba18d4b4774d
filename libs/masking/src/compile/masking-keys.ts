import type { JsonSteps } from '@understudy/column-rule';
import { deriveKey, keyFromBytes, type Key } from '@understudy/random';

/** What all cells of one job have in common. */
export interface JobKeyMaterial {
  /** 32 bytes that never leave the agent. */
  readonly maskingKey: Uint8Array;
  readonly seed: number;
  readonly referenceInstantMs: number;
}

/** The key under which a table's row keys are hashed. */
export function rowKeyOf(job: JobKeyMaterial): Key {
  return deriveKey(jobKey(job), 'row');
}

/**
 * The key of one column's cells: a function of (masking key, job seed, reference instant, rule, model files, table,
 * column). A cell adds its row key and the attempt.
 * @param modelHashes one text for each model that the rule draws from
 */
export function columnKeyOf(
  job: JobKeyMaterial,
  column: {
    readonly table: string;
    readonly name: string;
    readonly rule: unknown;
    readonly modelHashes: readonly string[];
    /** Of a place inside a JSON document. */
    readonly jsonSteps?: JsonSteps;
  },
): Key {
  const { table, name, rule, modelHashes, jsonSteps } = column;
  const parts = ['column', table, name, rule, modelHashes];
  return deriveKey(jobKey(job), canonicalJson(jsonSteps === undefined ? parts : [...parts, jsonSteps]));
}

/**
 * The key of the cells of a consistent rule: a function of (masking key, what the rule makes, model files) and of nothing else, so
 * that columns, tables and jobs share it. A cell adds the hash of its original value and the attempt.
 * @param made the definition or template with its modifiers
 */
export function consistentKeyOf(
  { maskingKey }: Pick<JobKeyMaterial, 'maskingKey'>,
  made: unknown,
  modelHashes: readonly string[],
): Key {
  return deriveKey(agentKey(maskingKey), canonicalJson(['consistent', made, modelHashes]));
}

/** The key under which a cell's consistent rule hashes the original value. @param key see `consistentKeyOf` */
export function originalKeyOf(key: Key): Key {
  return deriveKey(key, 'original');
}

function jobKey({ maskingKey, seed, referenceInstantMs }: JobKeyMaterial): Key {
  return deriveKey(agentKey(maskingKey), canonicalJson(['job', seed, referenceInstantMs]));
}

function agentKey(maskingKey: Uint8Array): Key {
  const rest = Array.from(maskingKey.subarray(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return deriveKey(keyFromBytes(maskingKey), rest);
}

/** JSON of `value` with the keys of every object in code unit order: the same text for the same rule, however it was written. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
