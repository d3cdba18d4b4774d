import type { SqlName } from '@understudy/sync-job';

const MAX_BYTES = 63;

/** @param identifier a column of type `name` of a catalog query; whatever is longer than a name can be is none */
export function sqlName(identifier: string): SqlName | undefined {
  return Buffer.byteLength(identifier) <= MAX_BYTES ? (identifier as SqlName) : undefined;
}
