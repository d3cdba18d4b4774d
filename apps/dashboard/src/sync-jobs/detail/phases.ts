import type { SyncJob } from '@understudy/client';
import { formatDuration, type Phase } from '@understudy/ui';

import { TEXTS } from '../texts.js';

/** The phases of an attempt in order. Training is shown only if an agent has reported it. */
const PHASES = ['preflight', 'training', 'copying', 'indexing', 'verifying', 'switching'] as const;

type Attempt = SyncJob['attempt_history'][number];
type PhasedJob = Pick<SyncJob, 'status' | 'progress' | 'phases' | 'attempt_history' | 'dry_run'>;

/**
 * Returns the state and the duration of each phase of the job's last attempt.
 * @param now the time of the server in ms
 */
export function phasesOfJob(job: PhasedJob, now: number): readonly Phase[] {
  const attempt = job.attempt_history.at(-1);
  if (job.status === 'completed') return completedPhases(job, attempt, now);
  const isWorking = job.status === 'running' && attempt?.ended_at === null;
  if (job.status !== 'failed' && !isWorking) return named(expected(job, []), () => ({ state: 'waiting' }));
  return phasesOfAttempt(attempt, job, now);
}

/** Returns the state and the duration of each phase of an attempt of the job. */
export function phasesOfAttempt(
  attempt: Attempt | undefined,
  job: Pick<SyncJob, 'dry_run'>,
  now: number,
): readonly Phase[] {
  const reported = attempt?.phases ?? [];
  const durations = durationsOf(reported, now);
  const ids = expected(job, [...durations.keys()]);
  const last = reported.at(-1)?.phase;
  const isCompleted = attempt?.outcome === 'completed';
  const lastState = attempt?.ended_at === null ? 'running' : 'failed';
  return named(ids, (id) => {
    const text = textOf(durations.get(id));
    if (isCompleted) return { state: 'done', ...text };
    if (id === last) return { state: lastState, ...text };
    return { state: durations.has(id) ? 'done' : 'waiting', ...text };
  });
}

function completedPhases(job: PhasedJob, attempt: Attempt | undefined, now: number): readonly Phase[] {
  const durations = new Map(job.phases.map(({ phase, seconds }) => [phase as string, seconds * 1_000]));
  if (durations.size === 0 && attempt) return phasesOfAttempt(attempt, job, now);
  const ids = expected(job, [...durations.keys()]);
  return named(ids, (id) => ({ state: 'done', ...textOf(durations.get(id)) }));
}

/** Returns the time that the agent spent in each phase that it reported, in ms. */
function durationsOf(phases: Attempt['phases'], now: number): Map<string, number> {
  const durations = new Map<string, number>();
  for (const { phase, started_at: start, ended_at: end } of phases) {
    const spent = Math.max(0, (end === null ? now : Date.parse(end)) - Date.parse(start));
    durations.set(phase, (durations.get(phase) ?? 0) + spent);
  }
  return durations;
}

/** Returns the phases that the job has, in order. A dry run ends after the checks. */
function expected({ dry_run: isDryRun }: Pick<SyncJob, 'dry_run'>, reported: readonly string[]) {
  const usual = PHASES.filter((id) => (isDryRun ? id === 'preflight' : id !== 'training'));
  const known = PHASES.filter((id) => usual.includes(id) || reported.includes(id));
  return [...known, ...reported.filter((id) => !PHASES.some((phase) => phase === id))];
}

function named(
  ids: readonly string[],
  stateOf: (id: string) => Omit<Phase, 'id' | 'label'>,
): readonly Phase[] {
  return ids.map((id) => ({ id, label: TEXTS.phases[id] ?? id, ...stateOf(id) }));
}

function textOf(ms: number | undefined): { readonly text?: string } {
  return ms === undefined ? {} : { text: formatDuration(ms) };
}
