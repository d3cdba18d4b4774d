import type { SyncJobCommand } from '@understudy/agent-protocol';

import { toCommandDatabase } from '../../agents/agent-work/connections/agent-database.js';
import type { SyncJobEntity } from './sync-job.entity.js';

/** @throws Error if a connection string is not sealed to this agent; the dispatcher must check this first */
export function toCommand(job: SyncJobEntity, agentId: string): SyncJobCommand {
  return {
    ...job.definition,
    tables: job.definition.tables ?? [],
    jobId: job.id,
    epoch: job.epoch,
    seed: job.seed,
    referenceInstantMs: job.referenceInstant.getTime(),
    source: toCommandDatabase(job.source, agentId, job.requires),
    target: toCommandDatabase(job.target, agentId, job.requires),
    acceptedAtMs: job.createdAt.getTime(),
    graceSeconds: job.graceSeconds,
    dryRun: job.definition.dryRun ?? false,
    hostedModels: job.definition.hostedModels ?? [],
    compositions: job.definition.compositions ?? [],
  };
}
