import { useQuery } from '@tanstack/react-query';
import type { ListedSyncJob, Understudy } from '@understudy/client';

import { client } from '../api/client.js';
import { usePolling } from '../api/polling.js';
import { allows } from '../session/session.js';
import { useSession } from '../session/use-session.js';

const DAY_MS = 86_400_000;

/** The numbers of jobs, and the newest ones. */
export interface JobsState {
  readonly total: number;
  readonly running: number;
  readonly pending: number;
  /** Jobs of the last 24 hours that failed. */
  readonly failed: number;
  readonly latest: readonly ListedSyncJob[];
}

/** The state of the jobs. It is loaded again while a job runs or waits. */
export function useJobsState(enabled: boolean) {
  return usePolling<JobsState>({
    queryKey: ['overview', 'jobs'],
    call: loadJobs,
    liveness: ({ running, pending }) => (running + pending > 0 ? 'pending' : 'ended'),
    enabled,
  });
}

async function loadJobs(
  api: Understudy,
  options: Parameters<Understudy['jobs']['list']>[1],
): Promise<JobsState> {
  const count = async (query: Parameters<Understudy['jobs']['list']>[0]) =>
    (await api.jobs.list({ ...query, tables: 'none', per_page: 1 }, options)).total;
  const [latest, running, pending, failed] = await Promise.all([
    api.jobs.list({ tables: 'none', per_page: 5 }, options),
    count({ status: 'running' }),
    count({ status: 'pending' }),
    count({ status: 'failed', created_after: new Date(Date.now() - DAY_MS).toISOString() }),
  ]);
  return { total: latest.total, running, pending, failed, latest: latest.jobs };
}

/** The things that an organisation needs in its first hour. */
export const STEPS = ['key', 'agent', 'job', 'webhook'] as const;
export type Step = (typeof STEPS)[number];

const NEEDS = {
  key: { role: 'admin', scope: 'tokens:write' },
  agent: { role: 'admin', scope: 'agents:write' },
  job: { role: 'member', scope: 'jobs:write' },
  webhook: { role: 'admin', scope: 'webhooks:write' },
} as const;

const ONE = { per_page: 1 };

/** Returns whether a step is done. Only the newest 100 completed jobs are checked. */
const EXISTS: Readonly<Record<Step, () => Promise<boolean>>> = {
  // The key with which the organisation was created is not the key of a program.
  key: async () => (await client.tokens.list(ONE)).total > 1,
  agent: async () => (await client.agents.list(ONE)).total > 0,
  job: async () => {
    const { jobs } = await client.jobs.list({ status: 'completed', tables: 'none', per_page: 100 });
    return jobs.some(({ dry_run: isDryRun }) => !isDryRun);
  },
  webhook: async () => (await client.webhooks.list(ONE)).total > 0,
};

/** The steps that the session may take, and which of them are done. */
export function useSteps() {
  const session = useSession();
  const steps = STEPS.filter((step) => allows(session, NEEDS[step]));
  return useQuery({
    queryKey: ['overview', 'steps', steps],
    staleTime: 0, // the reader returns here right after a step
    queryFn: () => Promise.all(steps.map(async (id) => ({ id, done: await EXISTS[id]() }))),
  });
}
