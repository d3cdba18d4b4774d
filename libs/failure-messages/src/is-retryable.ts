import type { Failure } from './failure.js';

/**
 * Failures of the attempt, not of the work: the next one may well succeed. The control plane hands the work to an agent again, and whoever
 * made the attempt leaves behind what the next one goes on with.
 */
export function isRetryable({ code }: Pick<Failure, 'code'>): boolean {
  return RETRYABLE.has(code);
}

const RETRYABLE: ReadonlySet<string> = new Set([
  'agent_disk_low',
  'agent_restarted',
  'connection_lost',
  'hosted_model_unavailable',
  'lease_lost',
  'snapshot_lost',
  'stalled',
]);
