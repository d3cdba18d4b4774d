interface Agent {
  readonly status: string;
  readonly last_seen_at: string | null;
}

/**
 * Resolves if the control plane reports an agent of the organisation as live.
 * @param since agents whose last report is older are ignored, because a killed agent is listed as live for a
 *   while
 */
export async function probeAgent(baseUrl: string, apiToken: string, since = new Date(0)): Promise<void> {
  const isLive = ({ status, last_seen_at }: Agent) =>
    status === 'live' && last_seen_at !== null && new Date(last_seen_at) >= since;
  if (!(await listAgents(baseUrl, apiToken)).some(isLive)) throw new Error('no agent is live');
}

/**
 * Resolves if the control plane reports that it is ready and knows the token. The control plane of another system may
 * have taken the port first.
 */
export async function probeControlPlane(origin: string, apiToken: string): Promise<void> {
  const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /readyz returned ${response.status}: ${text.slice(0, 300)}`);
  await listAgents(`${origin}/v1`, apiToken);
}

async function listAgents(baseUrl: string, apiToken: string): Promise<readonly Agent[]> {
  const response = await fetch(`${baseUrl}/agents`, {
    headers: { authorization: `Bearer ${apiToken}` },
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`GET /v1/agents returned ${response.status}`);
  return ((await response.json()) as { data: { agents: readonly Agent[] } }).data.agents;
}
