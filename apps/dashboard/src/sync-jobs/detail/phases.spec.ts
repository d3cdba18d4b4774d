import type { SyncJob } from '@understudy/client';

import { phasesOfJob } from './phases.js';

const START = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

type Job = Parameters<typeof phasesOfJob>[0];
type Attempt = SyncJob['attempt_history'][number];

const attempt = (changed: Partial<Attempt>): Attempt => ({
  ...{ number: 1, agent_id: 'agt_1', started_at: at(0), ended_at: null, outcome: null, error_code: null },
  phases: [
    { phase: 'preflight', started_at: at(0), ended_at: at(2) },
    { phase: 'copying', started_at: at(2), ended_at: null },
  ],
  ...changed,
});

const job = (changed: Partial<Job>): Job => ({
  ...{ status: 'running', phases: [], attempt_history: [], dry_run: false },
  progress: { phase: null } as Job['progress'],
  ...changed,
});

const summary = (value: Job, seconds: number) =>
  phasesOfJob(value, START + seconds * 1_000).map(({ label, state, text }) =>
    [label, state, text].filter((part) => part !== undefined).join(' '),
  );

describe('phasesOfJob', () => {
  it('shows all phases as waiting before an agent has the job', () => {
    expect(summary(job({ status: 'pending' }), 0)).toEqual([
      'Checks waiting',
      'Copying waiting',
      'Indexing waiting',
      'Verifying waiting',
      'Switching waiting',
    ]);
  });

  it('shows how long the present phase has taken', () => {
    expect(summary(job({ attempt_history: [attempt({})] }), 62).slice(0, 3)).toEqual([
      'Checks done 2.0 s',
      'Copying running 1 min',
      'Indexing waiting',
    ]);
  });

  it('shows all phases as waiting between two attempts', () => {
    const ended = attempt({ ended_at: at(9), outcome: 'failed' });
    expect(summary(job({ attempt_history: [ended] }), 20)[0]).toBe('Checks waiting');
  });

  it('shows the phase in which a job failed', () => {
    const phases: Attempt['phases'] = [{ phase: 'preflight', started_at: at(0), ended_at: at(3) }];
    const failed = attempt({ ended_at: at(3), outcome: 'failed', phases });
    expect(summary(job({ status: 'failed', attempt_history: [failed] }), 500).slice(0, 2)).toEqual([
      'Checks failed 3.0 s',
      'Copying waiting',
    ]);
  });

  it('shows the durations of a completed job, and training only if there was one', () => {
    const phases: Job['phases'] = [
      { phase: 'preflight', seconds: 1 },
      { phase: 'training', seconds: 20 },
    ];
    expect(summary(job({ status: 'completed', phases }), 500).slice(0, 3)).toEqual([
      'Checks done 1.0 s',
      'Training done 20 s',
      'Copying done',
    ]);
  });

  it('shows only the checks of a dry run', () => {
    expect(summary(job({ dry_run: true, status: 'completed' }), 0)).toEqual(['Checks done']);
  });

  it('shows a phase of a newer server with its name', () => {
    const phases: Attempt['phases'] = [{ phase: 'folding', started_at: at(0), ended_at: null }];
    expect(summary(job({ attempt_history: [attempt({ phases })] }), 1).at(-1)).toBe('folding running 1.0 s');
  });

  it('shows no negative duration if a clock is wrong', () => {
    expect(summary(job({ attempt_history: [attempt({})] }), -60)[1]).toBe('Copying running 0 ms');
  });
});
