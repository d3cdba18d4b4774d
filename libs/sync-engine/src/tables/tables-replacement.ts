import { type ConnectionTarget, disconnect } from '@understudy/postgres';
import type { SyncJobResult } from '@understudy/sync-job';
import { acquireDatabases } from '../attempt/acquire-databases.js';
import { sessionOpeners } from '../attempt/attempt-sessions.js';
import { copyJob } from '../attempt/copy-job.js';
import type { AttemptHost, Replacement } from '../attempt/replacement.js';
import { resultOfReplaced } from '../attempt/result-of-replaced.js';
import type { JobDatabases, RunningJob } from '../attempt/running-job.js';
import { verifyCopy } from '../attempt/verify-copy.js';
import { withSnapshot } from '../attempt/with-snapshot.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { surveyTables } from '../plan/preflight/preflight.js';
import { endOlderAttempts, sessionName } from '../session/job-attempt.js';
import { openJobClient } from '../session/open-session.js';
import { dropStaging } from '../stage/drop-staging.js';
import { type LedgerRow, recordSnapshot } from '../stage/ledger/staging-ledger.js';
import { afterSwitch } from './after-switch.js';
import { switchJob } from './switch-job.js';
import { TablesStaging } from './tables-staging.js';

/** Replaces the listed tables of the target in one transaction. */
export class TablesReplacement implements Replacement {
  private isAcquired = false;

  constructor(private readonly job: RunningJob) {}

  get hasAcquired(): boolean {
    return this.isAcquired;
  }

  async run({ registry, keeper, keepSnapshot, ...host }: AttemptHost): Promise<SyncJobResult> {
    const { job } = this;
    const { command, contexts, environment } = job;
    const { policy, reached } = environment;
    const acquired = await acquireDatabases(job, host.source, host.target);
    const { source, target, server, room, earlier } = acquired;
    this.isAcquired = true;
    if (earlier?.outcome !== undefined) {
      await endOlderAttempts(source.client, command);
      return await afterSwitch(job, { source, target }, earlier.outcome);
    }
    const replaced = await resultOfReplaced(target.client, command, host.target.database);
    if (replaced !== undefined) return replaced;
    await reached('target_locked');
    await surveyTables({ command, source: source.client, target, contexts, policy });
    const holding = { earlierId: earlier?.snapshotId || undefined, keeper, keepSnapshot };
    return await withSnapshot(job, source, holding, async (snapshot) => {
      // The sessions of older attempts include the older keeper's. Before it ends, this attempt must have joined its
      // snapshot, and the ledger must name the new keeper's. Otherwise the next attempt could not join either.
      if (snapshot.joined !== undefined) await recordSnapshot(target.client, command, snapshot.id);
      await endOlderAttempts(source.client, command);
      const open = sessionOpeners(job, { source, target, snapshot });
      const databases = { source, target, server, room, snapshot, open };
      const outcome = await this.copyAndSwitch(databases, earlier, registry);
      await snapshot.held.release();
      return await afterSwitch(job, { source, target }, outcome);
    });
  }

  async drop(target: ConnectionTarget): Promise<void> {
    const { command } = this.job;
    const client = await openJobClient(target, 'target', sessionName(command));
    await dropStaging(client, command).finally(() => disconnect(client));
  }

  private async copyAndSwitch(
    databases: JobDatabases,
    earlier: LedgerRow | undefined,
    registry: ModelRegistry,
  ): Promise<SyncJobResult> {
    const { job } = this;
    const copied = await copyJob(job, databases, registry, new TablesStaging(job, databases, earlier));
    const checks = await verifyCopy(job, copied, databases);
    await job.meter.flush();
    const outcome = await switchJob(job, copied, checks, databases);
    await job.environment.reached('committed');
    return outcome;
  }
}
