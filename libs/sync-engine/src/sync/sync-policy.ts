import type { ConnectionTarget } from '../connection/connection-target.js';
import type { DatabaseReference } from './sync-job-command.js';

/** What a job asks of the agent's policy, which has the last word. */
export interface SyncPolicy {
  /** @throws SyncJobError policy_denied, before anything is connected */
  resolveDatabase(reference: DatabaseReference, role: 'source' | 'target'): ConnectionTarget;
  /** Whether a job may choose rows by a condition. */
  readonly allowWhere: boolean;
  /** True for columns whose original values must never reach a target. */
  refusesPreserve(schema: string, table: string, column: string): boolean;
  /** Whether names of columns, types, schemas and roles may be told beyond those that the job itself names. */
  readonly reportsNames: boolean;
}
