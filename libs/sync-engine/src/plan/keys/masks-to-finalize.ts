import type { SyncWarning } from '@understudy/sync-job';
import type { TableMasks } from '../compile-masks.js';
import type { TablePlan } from '../table-plan.js';
import type { JobKeys } from './job-keys.js';
import type { OriginalsReader } from './read-originals.js';

/** The compiled rules of a job, with all that is needed to adapt them to its keys. */
export interface MasksToFinalize {
  readonly plans: readonly TablePlan[];
  /** The masks of the tables, in the order of `plans`. */
  readonly masks: readonly TableMasks[];
  readonly keys: JobKeys;
  readonly reader: OriginalsReader;
}

/** The rules that give unique columns unique values, and references the values of their keys. */
export interface FinalMasks {
  readonly masks: readonly TableMasks[];
  readonly warnings: readonly SyncWarning[];
}
