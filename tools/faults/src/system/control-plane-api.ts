import { waitUntilReady, type StackInfo } from '@understudy/stack';

const ENDS_WITHIN_MS = 300_000;

/** The fields of a job that the faults read. */
export interface JobView {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly rows_processed: number;
  readonly attempts: number;
  readonly agent_id: string | null;
  readonly error: { readonly code: string } | null;
  readonly warnings: readonly { readonly code: string }[];
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

/** The REST API of the control plane, as its organisation's owner calls it. */
export class ControlPlaneApi {
  constructor(private readonly stack: StackInfo) {}

  job(id: string): Promise<JobView> {
    return this.call('GET', `/sync/jobs/${id}`);
  }

  /** Waits for the job's end. */
  async ended(id: string): Promise<JobView> {
    let job: JobView | undefined;
    await waitUntilReady(
      async () => {
        job = await this.job(id);
        if (!hasEnded(job)) throw new Error(`the job is ${job.status}`);
      },
      { timeoutMs: ENDS_WITHIN_MS },
    );
    if (job === undefined) throw new Error('no job was seen');
    return job;
  }

  /** Newest first, revoked ones too. */
  async agents(): Promise<AgentView[]> {
    return (await this.call<{ agents: AgentView[] }>('GET', '/agents')).agents;
  }

  /** @throws when the answer is an error */
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
    const answer = (await response.json()) as { data?: T; error?: { code: string; message: string } };
    if (answer.data === undefined) {
      throw new Error(
        `${method} ${path} answered ${response.status}: ${answer.error?.code ?? ''} ${answer.error?.message ?? ''}`,
      );
    }
    return answer.data;
  }
}
