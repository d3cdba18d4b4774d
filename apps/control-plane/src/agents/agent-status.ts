export type AgentStatus = 'live' | 'away' | 'revoked';

/** An agent beats every 2 s; one that was not heard of for longer than this gets no work. */
export const LIVE_WITHIN_MS = 15_000;

export function agentStatus(
  agent: { readonly lastSeenAt: Date | null; readonly revokedAt: Date | null },
  { now }: { now: Date },
): AgentStatus {
  if (agent.revokedAt !== null) return 'revoked';
  if (agent.lastSeenAt === null) return 'away';
  return now.getTime() - agent.lastSeenAt.getTime() <= LIVE_WITHIN_MS ? 'live' : 'away';
}
