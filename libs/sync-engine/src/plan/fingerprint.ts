import { createHmac } from 'node:crypto';
import { writeExactJson } from '@understudy/expression';
import { ENGINE_VERSION as VALUES_VERSION } from '@understudy/generator';
import type { ModelRegistry } from '../models/model-registry.js';
import type { JobKeys } from './keys/job-keys.js';
import type { SyncJobCommand } from '@understudy/sync-job';
import type { ColumnPlan, TablePlan } from './table-plan.js';

/**
 * Computes a hash of everything that determines masked rows, except for the source's rows. Attempts with the
 * same fingerprint and the same snapshot make the same masked rows. The hash is keyed with the masking key.
 * Without this key, the hash reveals nothing.
 */
export function fingerprintOf(
  command: SyncJobCommand,
  plans: readonly TablePlan[],
  keys: Pick<JobKeys, 'tables' | 'references'>,
  maskingKey: Uint8Array,
  models: Pick<ModelRegistry, 'find'>,
): string {
  const facts = {
    ...ruleFacts(command, models),
    tables: plans.map(({ name, source, target }) => [name, source.columns, target?.columns]),
    protected: plans.map(({ columns }) => columns.flatMap(protectedName)),
    unique: keys.tables.map(({ source, written }) => [source.unique, written.unique]),
    references: keys.references,
  };
  return createHmac('sha256', maskingKey).update(writeExactJson(facts)).digest('hex');
}

/**
 * Returns the column's name if the policy protects the column, or else an empty list. Protection can change
 * the values of a rule, see `resolveDiffers`.
 */
function protectedName({ description, fill }: ColumnPlan): readonly string[] {
  return fill.kind === 'produce' && fill.isProtected === true ? [description.name] : [];
}

/** Returns the parts of a command and of its models that determine masked values. */
export function ruleFacts(
  { seed, referenceInstantMs, tables, unlistedColumns, hostedModels, compositions }: SyncJobCommand,
  models: Pick<ModelRegistry, 'find'>,
): object {
  const named = [...new Set(writeExactJson(tables).match(PRIVATE_MODEL) ?? [])].sort();
  return {
    version: ENGINE_VERSION,
    values: VALUES_VERSION,
    rules: { seed, referenceInstantMs, tables, unlistedColumns, compositions },
    models: [
      ...hostedModels.map(({ id, hash }) => [id, hash]),
      ...named.map((id) => [id, models.find(id)?.hash ?? '']),
    ],
  };
}

const PRIVATE_MODEL = /private\/[A-Za-z0-9_.-]{1,128}/g;

/**
 * The same version as in package.json. A test compares both. An attempt does not continue with chunks that
 * another version copied.
 */
export const ENGINE_VERSION = { major: 0, minor: 1, patch: 0 } as const;
