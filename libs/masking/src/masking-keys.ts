import { deriveKey, keyFromBytes, type Key } from '@understudy/random';
import { canonicalJson } from './canonical-json.js';

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
  },
): Key {
  return deriveKey(
    jobKey(job),
    canonicalJson(['column', column.table, column.name, column.rule, column.modelHashes]),
  );
}

function jobKey({ maskingKey, seed, referenceInstantMs }: JobKeyMaterial): Key {
  const rest = Array.from(maskingKey.subarray(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return deriveKey(
    deriveKey(keyFromBytes(maskingKey), rest),
    canonicalJson(['job', seed, referenceInstantMs]),
  );
}
