import { createHmac } from 'node:crypto';
import { ENGINE_VERSION as VALUES_VERSION } from '@understudy/generator';
import type { ModelRegistry } from '../models/model-registry.js';
import type { JobKeys } from './keys/job-keys.js';
import type { SyncJobCommand } from '@understudy/sync-job';
import type { ColumnPlan, TablePlan } from './table-plan.js';

/**
 * Stands for all that decides about the bytes of a masked row, besides the row: attempts with the same fingerprint make the same ones of
 * the same snapshot. Under the masking key, so that it tells nobody without it anything.
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
  return createHmac('sha256', maskingKey).update(JSON.stringify(facts)).digest('hex');
}

/** Rules of protected columns may make other values: see `resolveDiffers`. */
function protectedName({ description, fill }: ColumnPlan): readonly string[] {
  return fill.kind === 'produce' && fill.isProtected === true ? [description.name] : [];
}

/** What a command and the models that it names say about masked values. */
export function ruleFacts(
  { seed, referenceInstantMs, tables, unlistedColumns, hostedModels, compositions }: SyncJobCommand,
  models: Pick<ModelRegistry, 'find'>,
): object {
  const named = [...new Set(JSON.stringify(tables).match(PRIVATE_MODEL) ?? [])].sort();
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

/** As in package.json; a test compares them. Copies of two versions do not go on with each other's chunks. */
export const ENGINE_VERSION = { major: 0, minor: 1, patch: 0 } as const;
