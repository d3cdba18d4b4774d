/**
 * Resolves when the control plane counts an agent of the organisation as live.
 * @param since an agent that was killed counts as live for a while: one that was heard of after this moment is not it
 */
export async function probeAgent(baseUrl: string, apiToken: string, since = new Date(0)): Promise<void> {
  const response = await fetch(`${baseUrl}/agents`, {
    headers: { authorization: `Bearer ${apiToken}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`GET /v1/agents answered ${response.status}`);
  const { data } = (await response.json()) as {
    data: { agents: { status: string; last_seen_at: string | null }[] };
  };
  const isLive = (agent: (typeof data.agents)[number]) =>
    agent.status === 'live' && agent.last_seen_at !== null && new Date(agent.last_seen_at) >= since;
  if (!data.agents.some(isLive)) throw new Error('no agent is live');
}

/** Resolves when the control plane says that it is ready. */
export async function probeControlPlane(origin: string): Promise<void> {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /readyz answered ${response.status}: ${text.slice(0, 300)}`);
}
