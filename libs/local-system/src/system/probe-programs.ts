/**
 * Resolves if the control plane reports an agent of the organisation as live.
 * @param since agents whose last report is older are ignored, because a killed agent is listed as live for a
 *   while
 */
export async function probeAgent(baseUrl: string, apiToken: string, since = new Date(0)): Promise<void> {
  const response = await fetch(`${baseUrl}/agents`, {
    headers: { authorization: `Bearer ${apiToken}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`GET /v1/agents returned ${response.status}`);
  const { data } = (await response.json()) as {
    data: { agents: { status: string; last_seen_at: string | null }[] };
  };
  const isLive = (agent: (typeof data.agents)[number]) =>
    agent.status === 'live' && agent.last_seen_at !== null && new Date(agent.last_seen_at) >= since;
  if (!data.agents.some(isLive)) throw new Error('no agent is live');
}

/** Resolves if the control plane reports that it is ready. */
export async function probeControlPlane(origin: string): Promise<void> {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /readyz returned ${response.status}: ${text.slice(0, 300)}`);
}
