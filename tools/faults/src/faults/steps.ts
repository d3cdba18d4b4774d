import type { Fault } from './fault.js';

/** Steps of a job that the agent announces (`libs/sync-engine/src/sync-steps.ts`), in their order. */
export const STEPS = [
  'target_locked',
  'snapshot_held',
  'planned',
  'models_trained',
  'staging_created',
  'chunk_copied',
  'chunk_committed',
  'all_chunks_committed',
  'indexes_built',
  'switch_begun',
  'before_commit',
  'committed',
  'reported',
] as const;

/**
 * Kills the agent with SIGKILL at a step. For every second step, the agent is not started again, so that the other
 * agent must take over.
 */
function deathAt(step: (typeof STEPS)[number]): Fault {
  const staysDead = STEPS.indexOf(step) % 2 === 1;
  return {
    name: `the agent is killed at ${step}${staysDead ? ', and stays dead' : ''}`,
    prepare: (system) => system.dieAt(step),
    strike: () => Promise.resolve(),
    leavesDown: staysDead,
    endings: ['completed'],
  };
}

export const DEATHS_AT_STEPS: readonly Fault[] = STEPS.map(deathAt);
