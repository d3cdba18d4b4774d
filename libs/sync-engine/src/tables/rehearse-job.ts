import { rehearseDefinitions } from '../copy/rehearsal/rehearse-target.js';
import type { JobMasks } from '../plan/compile-masks.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { DefinitionDump } from '../stage/create/definition-dump.js';
import type { TableDefinitions } from '../stage/create/define-tables.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import type { SwapDump } from '../stage/swap/swap-dump.js';
import type { defineMissing } from '../attempt/define-missing.js';
import type { JobDatabases, RunningJob } from '../attempt/running-job.js';

/** Returns the definitions of the missing tables, as {@link defineMissing} does. */
export type Define = (options: Parameters<typeof defineMissing>[3]) => Promise<TableDefinitions>;

export interface JobToRehearse {
  readonly plans: readonly TablePlan[];
  readonly masks: JobMasks;
  /** The result of `tablesThatCallFunctions`. */
  readonly calling: ReadonlyMap<number, boolean>;
  readonly earlier: LedgerRow | undefined;
  readonly dump: DefinitionDump | undefined;
  readonly swapDump: SwapDump;
  readonly define: Define;
}

/**
 * Tries the definitions and a few rows of the job before it copies all rows, if the rows of a table cannot be written
 * without calling functions of users. Such a function may not find the objects that it uses.
 * @returns the definitions of the missing tables, if they were needed
 * @throws SyncJobError function_unresolved, create_failed
 */
export async function rehearseJob(
  job: RunningJob,
  { source, open }: JobDatabases,
  { plans, masks, calling, earlier, dump, swapDump, define }: JobToRehearse,
): Promise<TableDefinitions | undefined> {
  const { sessions } = job;
  if (earlier !== undefined || calling.size === 0) return undefined;
  await swapDump.swap(); // its pg_dump and the rehearsal use the target's sessions in turn
  const rehearsal = await rehearseDefinitions(
    {
      ...{ ...job, plans, masks, source: source.client },
      definitions: await define({ dump }),
      openSource: () => sessions.open(open.source),
      openTarget: () => sessions.open(open.unstagedTarget),
    },
    calling,
    (deferring) => define({ deferring }),
  );
  const [error] = rehearsal.failures;
  if (error !== undefined) throw error;
  return rehearsal.definitions;
}
