import type { JsonSteps } from '@understudy/column-rule';
import { hasMembers, writeExactJson } from '@understudy/expression';
import { deriveKey, keyFromBytes, type Key } from '@understudy/random';

/** The inputs of key derivation that are the same for all columns of a job. */
export interface JobKeyMaterial {
  /** 32 bytes that never leave the agent. */
  readonly maskingKey: Uint8Array;
  readonly seed: number;
  readonly referenceInstantMs: number;
}

/** Derives the key with which the row keys of a table are hashed. */
export function rowKeyOf(job: JobKeyMaterial): Key {
  return deriveKey(jobKey(job), 'row');
}

/**
 * Derives the key of one column's cells from the masking key, job seed, reference instant, rule, model files,
 * table and column. A cell's value depends on this key, the row key, and the number of earlier candidates
 * that were rejected for the cell.
 * @param modelHashes one text for each model that the rule uses
 */
export function columnKeyOf(
  job: JobKeyMaterial,
  column: {
    readonly table: string;
    readonly name: string;
    readonly rule: unknown;
    readonly modelHashes: readonly string[];
    /** The path inside a JSON document. */
    readonly jsonSteps?: JsonSteps;
  },
): Key {
  const { table, name, rule, modelHashes, jsonSteps } = column;
  const parts = ['column', table, name, rule, modelHashes];
  return deriveKey(jobKey(job), canonicalJson(jsonSteps === undefined ? parts : [...parts, jsonSteps]));
}

/**
 * Derives the key for the cells of a rule that sets `consistent`. The key depends only on the masking key, the
 * rule and the model files. The same rule therefore has the same key in all columns, tables and jobs. A cell's
 * value depends on this key, the hash of its original value, and the number of earlier candidates that were
 * rejected for the cell.
 * @param made the rule as JSON: its definition or template, and its modifiers such as `nullable`
 */
export function consistentKeyOf(
  { maskingKey }: Pick<JobKeyMaterial, 'maskingKey'>,
  made: unknown,
  modelHashes: readonly string[],
): Key {
  return deriveKey(agentKey(maskingKey), canonicalJson(['consistent', made, modelHashes]));
}

/**
 * Derives the key with which a mask hashes original values.
 * @param key the key of the mask's cells, from `consistentKeyOf` or `columnKeyOf`
 */
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

/**
 * Returns JSON of `value` with the keys of every object in code unit order. Two notations of the same rule
 * give the same text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (hasMembers(value)) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
    return `{${entries.join(',')}}`;
  }
  return writeExactJson(value);
}
