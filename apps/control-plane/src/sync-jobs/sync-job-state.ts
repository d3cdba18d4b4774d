/**
 * A sync job's life, without clock or database.
 *
 *            lease_taken ┐                       ┌ lease_taken
 *                      ┌─▼──────┐  agent_alive ┌─▼──────┐ agent_completed ┌───────────┐
 *   accepted ─────────▶│ pending├─────────────▶│ running├────────────────▶│ completed │
 *                      └─┬────┬─┘              └─┬────┬─┘                 └───────────┘
 *           attempt_lost ┘    │     attempt_lost ┘    │ agent_failed, attempts_exhausted
 *                             └───────────────────────┴──────────────────▶ failed
 *
 * I1  completed and failed are final: nothing changes a job that ended.
 * I2  epoch and attempts grow by one with each lease taken, and with nothing else.
 * I3  a lease is held only while the job is pending or running.
 * I4  startedAt is set on leaving pending for running or completed, and never changes afterwards.
 * I5  completedAt is set exactly while the job is completed or failed; an error exactly while it is failed.
 * I6  a job is never running without startedAt; startedAt ≤ completedAt.
 * I7  a lost attempt leaves the status as it is: retries happen inside it.
 */
export const SYNC_JOB_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type SyncJobStatus = (typeof SYNC_JOB_STATUSES)[number];

export type Trigger =
  | { readonly type: 'lease_taken'; readonly agentId: string; readonly leaseMs: number }
  /** Started, progress or a trained model: the agent works on it. */
  | { readonly type: 'agent_alive' }
  | { readonly type: 'agent_completed' }
  | { readonly type: 'agent_failed'; readonly error: JobError }
  /** The attempt ended without a result and another one is allowed. */
  | { readonly type: 'attempt_lost' }
  /** The attempt ended without a result and was the last one. */
  | { readonly type: 'attempts_exhausted'; readonly error: JobError };

export interface JobError {
  readonly code: string;
  readonly message: string;
}

export interface SyncJobState {
  readonly status: SyncJobStatus;
  readonly attempts: number;
  readonly epoch: number;
  /** Highest event number applied within the epoch. */
  readonly lastSeq: number;
  /** Holder of the newest epoch, also after its lease ended. */
  readonly agentId: string | null;
  readonly leasedAt: Date | null;
  readonly leaseExpiresAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly error: JobError | null;
}

/** `stay` keeps everything as it is; the others are the functions below. */
type Act = 'stay' | 'lease' | 'start' | 'finish' | 'release';

interface Transition {
  readonly to: SyncJobStatus;
  readonly act: Act;
}

export const TRANSITIONS: Readonly<Record<SyncJobStatus, Readonly<Record<Trigger['type'], Transition>>>> = {
  pending: {
    lease_taken: { to: 'pending', act: 'lease' },
    agent_alive: { to: 'running', act: 'start' },
    agent_completed: { to: 'completed', act: 'finish' },
    agent_failed: { to: 'failed', act: 'finish' },
    attempt_lost: { to: 'pending', act: 'release' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
  },
  running: {
    lease_taken: { to: 'running', act: 'lease' },
    agent_alive: { to: 'running', act: 'stay' },
    agent_completed: { to: 'completed', act: 'finish' },
    agent_failed: { to: 'failed', act: 'finish' },
    attempt_lost: { to: 'running', act: 'release' },
    attempts_exhausted: { to: 'failed', act: 'finish' },
  },
  completed: {
    lease_taken: { to: 'completed', act: 'stay' },
    agent_alive: { to: 'completed', act: 'stay' },
    agent_completed: { to: 'completed', act: 'stay' },
    agent_failed: { to: 'completed', act: 'stay' },
    attempt_lost: { to: 'completed', act: 'stay' },
    attempts_exhausted: { to: 'completed', act: 'stay' },
  },
  failed: {
    lease_taken: { to: 'failed', act: 'stay' },
    agent_alive: { to: 'failed', act: 'stay' },
    agent_completed: { to: 'failed', act: 'stay' },
    agent_failed: { to: 'failed', act: 'stay' },
    attempt_lost: { to: 'failed', act: 'stay' },
    attempts_exhausted: { to: 'failed', act: 'stay' },
  },
};

/** Pure. @param now when it happened; for the agent's reports already brought into this side's time */
export function advance(state: SyncJobState, trigger: Trigger, { now }: { now: Date }): SyncJobState {
  const { to, act } = TRANSITIONS[state.status][trigger.type];
  if (act === 'stay') return state;
  if (act === 'release') return { ...state, leaseExpiresAt: null };
  if (act === 'start') return { ...state, status: to, startedAt: state.startedAt ?? now };
  if (act === 'lease') return trigger.type === 'lease_taken' ? lease(state, trigger, now) : state;
  const startedAt = to === 'completed' ? (state.startedAt ?? now) : state.startedAt;
  return {
    ...state,
    status: to,
    leaseExpiresAt: null,
    startedAt,
    completedAt: startedAt !== null && startedAt > now ? startedAt : now,
    error: 'error' in trigger ? trigger.error : null,
  };
}

function lease(state: SyncJobState, trigger: { agentId: string; leaseMs: number }, now: Date): SyncJobState {
  return {
    ...state,
    attempts: state.attempts + 1,
    epoch: state.epoch + 1,
    lastSeq: 0,
    agentId: trigger.agentId,
    leasedAt: now,
    leaseExpiresAt: new Date(now.getTime() + trigger.leaseMs),
  };
}

export function isEnded(status: SyncJobStatus): boolean {
  return status === 'completed' || status === 'failed';
}

/** Accepted, not ended, and nobody's: the dispatcher may give it away. */
export function isWaiting(state: Pick<SyncJobState, 'status' | 'leaseExpiresAt'>): boolean {
  return !isEnded(state.status) && state.leaseExpiresAt === null;
}
