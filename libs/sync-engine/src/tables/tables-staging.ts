import { EvaluationPaths } from '@understudy/postgres';
import { defineMissing, dumpDefinition } from '../attempt/define-missing.js';
import type { JobStaging, StagedRows, StagingRequest } from '../attempt/replacement.js';
import type { JobDatabases, RunningJob } from '../attempt/running-job.js';
import { tablesThatCallFunctions } from '../copy/rehearsal/rehearse-target.js';
import { reportSourceCode } from '../plan/preflight/source-code.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { DefinitionDump } from '../stage/create/definition-dump.js';
import type { LedgerRow } from '../stage/ledger/staging-ledger.js';
import { SwapDump } from '../stage/swap/swap-dump.js';
import { readHiddenSchemas } from '../stage/switch/move-objects.js';
import { type Define, rehearseJob } from './rehearse-job.js';
import { stageJob } from './stage-job.js';

/** Stages the listed tables in hidden schemas of the target. */
export class TablesStaging implements JobStaging {
  private dump: DefinitionDump | undefined;
  private swapDump: SwapDump | undefined;

  /** @param earlier the ledger row of an earlier attempt, if there is one */
  constructor(
    private readonly job: RunningJob,
    private readonly databases: JobDatabases,
    private readonly earlier: LedgerRow | undefined,
  ) {}

  async planned(plans: readonly TablePlan[]): Promise<void> {
    const { job, databases } = this;
    const { command, environment, signal } = job;
    const { tools, log } = environment;
    const { swapFromBytes: fromBytes } = environment.copy;
    const { target, snapshot } = databases;
    const source = databases.source.client;
    const isOmitting = command.sourceCode === 'omit';
    await reportSourceCode({ plans, source, target: target.client, isOmitting }, environment);
    this.swapDump = new SwapDump({ plans, source, target, fromBytes, tools, log, signal });
    // If this attempt continues with the tables that an earlier one staged, it needs no dump.
    if (this.earlier !== undefined) return;
    // The keeper needs another session until it holds the snapshot, and pg_dump another one.
    if (databases.room.isTight) await snapshot.held.confirm();
    if (plans.some((plan) => plan.target === undefined)) this.dump = dumpDefinition(job, databases, plans);
    await this.swapDump.begin();
  }

  async stage({ plans, masks, fingerprint, needsOrder }: StagingRequest): Promise<StagedRows> {
    const { job, databases, dump, swapDump, earlier } = this;
    if (swapDump === undefined) throw new Error('the tables were not planned before they are staged');
    const { source, target } = databases;
    const clients = { source: source.client, target: target.client };
    const calling = await tablesThatCallFunctions(plans, clients);
    const define: Define = (options) => defineMissing(job, databases, plans, options);
    const ahead = { plans, masks, calling, earlier, dump, swapDump, define };
    const definitions = await rehearseJob(job, databases, ahead);
    const staged = await stageJob(job, databases, {
      ...{ plans, earlier, swapDump, fingerprint, needsOrder },
      define: () => (definitions === undefined ? define({ dump }) : Promise.resolve(definitions)),
    });
    const existing = plans.flatMap((plan) => plan.target?.oid ?? []);
    const hidden = await readHiddenSchemas(target.client, job.command.jobId);
    const { allowSharedSchemas } = job.environment.policy.rules;
    const paths = await EvaluationPaths.read(target.client, existing, allowSharedSchemas, hidden);
    return { staged, paths, runsCode: [...calling.values()].includes(true) };
  }

  async discard(): Promise<void> {
    await Promise.all([this.dump?.discard(), this.swapDump?.discard()]);
  }
}
