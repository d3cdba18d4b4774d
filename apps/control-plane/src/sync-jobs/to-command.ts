import type { CommandDatabase, SyncJobCommand } from '../agent-link/sync-job-command.js';
import type { JobDatabase } from './sync-job.js';
import type { SyncJobEntity } from './sync-job.entity.js';

/** @throws Error when a connection string was not sealed to this agent: the dispatcher has to ask before */
export function toCommand(job: SyncJobEntity, agentId: string): SyncJobCommand {
  return {
    jobId: job.id,
    epoch: job.epoch,
    seed: job.seed,
    referenceInstant: job.referenceInstant,
    source: toCommandDatabase(job.source, agentId),
    target: toCommandDatabase(job.target, agentId),
    tables: job.definition.tables,
    unlistedColumns: job.definition.unlistedColumns,
    acceptedAt: job.createdAt,
    dryRun: job.definition.dryRun ?? false,
    hostedModels: job.definition.hostedModels ?? [],
    compositions: job.definition.compositions ?? [],
  };
}

/** @throws Error when a connection string was not sealed to this agent */
export function toCommandDatabase(database: JobDatabase, agentId: string): CommandDatabase {
  if (database.kind === 'agent') return { kind: 'agent', name: database.name };
  const copy = database.by_agent[agentId];
  if (!copy) throw new Error('no sealed copy for this agent');
  return {
    kind: 'sealed',
    encapsulatedKey: new Uint8Array(Buffer.from(copy.encapsulated_key, 'base64')),
    ciphertext: new Uint8Array(Buffer.from(copy.ciphertext, 'base64')),
  };
}
