import { type Agent, type SyncJob, Understudy } from '@understudy/client';
import { waitUntilReady } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

const ENDS_WITHIN_MS = 120_000;
const TIMEOUT_SECONDS = 60;

export function hasEnded({ status }: SyncJob): boolean {
  return status === 'completed' || status === 'failed';
}

/** Client of the control plane with the rights of the organisation's owner. It repeats no request. */
export class ControlPlaneApi extends Understudy {
  constructor({ base_url: baseUrl, api_token: token }: Pick<StackInfo, 'base_url' | 'api_token'>) {
    super({ baseUrl, token, timeout: TIMEOUT_SECONDS, maxRetries: 0 });
  }

  /** Waits until the job has ended. The control plane may be down until then. */
  async ended(id: string): Promise<SyncJob> {
    let job: SyncJob | undefined;
    await waitUntilReady(
      async () => {
        job = await this.jobs.get(id);
        if (!hasEnded(job)) throw new Error(`the status of the job is ${job.status}`);
      },
      { timeoutMs: ENDS_WITHIN_MS },
    );
    if (job === undefined) throw new Error('the control plane never returned the job');
    return job;
  }

  /** Returns the agent of this name that is not revoked. */
  async agentNamed(name: string): Promise<Agent | undefined> {
    const { agents } = await this.agents.list();
    return agents.find((agent) => agent.name === name && agent.status !== 'revoked');
  }

  /** Returns whether an agent is connected and has sent a heartbeat since a time. */
  async isLive(name: string, sinceMs: number): Promise<boolean> {
    const { agents } = await this.agents.list();
    const seen = (agent: Agent) => Date.parse(agent.last_seen_at ?? '') >= sinceMs;
    return agents.some((agent) => agent.name === name && agent.status === 'live' && seen(agent));
  }
}
