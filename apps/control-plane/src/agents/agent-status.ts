export type AgentStatus = 'live' | 'away' | 'revoked';

/** An agent beats every 2 s; one that was not heard of for longer than this gets no work. */
const LIVE_WITHIN_MS = 15_000;

/** SQL: whether an agent that was last seen then, by the database's clock, is live. */
export function isLive(lastSeenAt: string): string {
  return `${lastSeenAt} > now() - ${LIVE_WITHIN_MS} * interval '1 millisecond'`;
}

export function agentStatus(
  agent: { readonly lastSeenAt: Date | null; readonly revokedAt: Date | null },
  { now }: { now: Date },
): AgentStatus {
  if (agent.revokedAt !== null) return 'revoked';
  if (agent.lastSeenAt === null) return 'away';
  return now.getTime() - agent.lastSeenAt.getTime() <= LIVE_WITHIN_MS ? 'live' : 'away';
}
