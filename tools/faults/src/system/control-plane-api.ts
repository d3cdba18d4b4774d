import { waitUntilReady } from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

const ENDS_WITHIN_MS = 120_000;

/** The fields of a job that the fault tests read. */
export interface JobView {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly rows_processed: number;
  readonly attempts: number;
  readonly agent_id: string | null;
  readonly error: { readonly code: string } | null;
  readonly warnings: readonly { readonly code: string }[];
  readonly progress?: { readonly rows_done: number };
}

export function hasEnded({ status }: JobView): boolean {
  return status === 'completed' || status === 'failed';
}

export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly last_seen_at: string | null;
}

/** Client of the control plane's REST API with the rights of the organisation's owner. */
export class ControlPlaneApi {
  constructor(private readonly stack: Pick<StackInfo, 'base_url' | 'api_token'>) {}

  job(id: string): Promise<JobView> {
    return this.call('GET', `/sync/jobs/${id}`);
  }

  /** Waits until the job has ended. */
  async ended(id: string): Promise<JobView> {
    let job: JobView | undefined;
    await waitUntilReady(
      async () => {
        job = await this.job(id);
        if (!hasEnded(job)) throw new Error(`the status of the job is ${job.status}`);
      },
      { timeoutMs: ENDS_WITHIN_MS },
    );
    if (job === undefined) throw new Error('the control plane never returned the job');
    return job;
  }

  /** Lists the agents, newest first, including revoked ones. */
  async agents(): Promise<AgentView[]> {
    return (await this.call<{ agents: AgentView[] }>('GET', '/agents')).agents;
  }

  /** @throws Error if the response is an error */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.stack.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.stack.api_token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const content = (await response.json()) as { data?: T; error?: { code: string; message: string } };
    if (content.data === undefined) {
      throw new Error(
        `${method} ${path} returned ${response.status}: ${content.error?.code ?? ''} ${content.error?.message ?? ''}`,
      );
    }
    return content.data;
  }
}
