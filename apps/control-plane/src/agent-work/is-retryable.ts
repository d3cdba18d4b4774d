/** Failures of the attempt, not of the work: another agent, or the same one later, may well succeed. */
export function isRetryable(code: string): boolean {
  return RETRYABLE.has(code);
}

const RETRYABLE = new Set([
  'agent_restarted',
  'connection_lost',
  'hosted_model_unavailable',
  'lease_lost',
  'snapshot_lost',
  'stalled',
]);
