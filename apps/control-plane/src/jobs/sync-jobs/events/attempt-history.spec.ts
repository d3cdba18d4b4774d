import { advance, type Trigger, type WorkState } from '../../../agents/agent-work/leases/work-state.js';
import type { JobAttempt } from '../sync-job.js';
import {
  historyAfter,
  isHistoryBehind,
  MAX_ATTEMPT_PHASES,
  MAX_ATTEMPTS,
  withPhase,
} from './attempt-history.js';

const AGENT = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const LEASE = { type: 'lease_taken', agentId: AGENT, leaseMs: 30_000, graceSeconds: 0 } as const;
const ERROR = { code: 'table_not_found', message: '' };
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const iso = (second: number) => at(second).toISOString();

const PENDING: WorkState = {
  ...{ status: 'pending', attempts: 0, lostLeases: 0, epoch: 0, lastSeq: 0, agentId: null, leasedAt: null },
  ...{ leaseExpiresAt: null, graceSeconds: 0, renewedAt: null, snapshotTakenAt: null, startedAt: null },
  ...{ completedAt: null, error: null, cancelRequestedAt: null },
};

/** Applies triggers, one a second. Returns the history and the last state. */
function play(...triggers: readonly (Trigger & { readonly errorCode?: string })[]) {
  let state = PENDING;
  let history: readonly JobAttempt[] = [];
  for (const [second, { errorCode, ...trigger }] of triggers.entries()) {
    const after = advance(state, trigger, { now: at(second) });
    history = historyAfter(history, { before: state, after, at: at(second), errorCode });
    state = after;
  }
  return { history, state };
}

describe('historyAfter', () => {
  it('shows an attempt from its lease on', () => {
    const { history } = play(LEASE, { type: 'agent_alive' });
    const open = { endedAt: null, outcome: null, errorCode: null, phases: [] };
    expect(history).toEqual([{ number: 1, agentId: AGENT, startedAt: iso(0), ...open }]);
  });

  it.each<[string, readonly (Trigger & { readonly errorCode?: string })[], Partial<JobAttempt>]>([
    ['completed', [{ type: 'agent_completed' }], { outcome: 'completed', errorCode: null }],
    ['failed', [{ type: 'agent_failed', error: ERROR }], { outcome: 'failed', errorCode: ERROR.code }],
    [
      'lost by a failure that another attempt may overcome',
      [{ type: 'attempt_lost', errorCode: 'source_unavailable' }],
      { outcome: 'failed', errorCode: 'source_unavailable' },
    ],
    ['lost by a restart', [{ type: 'attempt_lost' }], { outcome: 'failed', errorCode: null }],
    ['without contact', [{ type: 'lease_lost' }], { outcome: 'connection_lost', errorCode: null }],
    ['released', [{ type: 'lease_returned' }], { outcome: 'returned', errorCode: null }],
    [
      'cancelled',
      [{ type: 'cancel_requested' }, { type: 'agent_failed', error: ERROR }],
      { outcome: 'failed', errorCode: 'cancelled' },
    ],
  ])('ends an attempt that is %s', (_, triggers, expected) => {
    const { history } = play(LEASE, ...triggers);
    expect(history).toEqual([expect.objectContaining({ ...expected, endedAt: iso(triggers.length) })]);
  });

  it('keeps the newest attempts, one past the limit drops the oldest', () => {
    const retries = (count: number) =>
      Array.from({ length: count }, () => [LEASE, { type: 'lease_returned' } as const]).flat();
    expect(play(...retries(MAX_ATTEMPTS)).history.map(({ number }) => number)[0]).toBe(1);
    const { history } = play(...retries(MAX_ATTEMPTS + 1));
    expect([history.length, history[0]?.number, history.at(-1)?.number]).toEqual([
      ...[MAX_ATTEMPTS, 2, MAX_ATTEMPTS + 1],
    ]);
  });

  it('changes nothing if it is applied twice, and for a job without an attempt', () => {
    const { history, state } = play(LEASE, { type: 'agent_completed' });
    expect(historyAfter(history, { before: PENDING, after: state, at: at(9) })).toBe(history);
    expect(isHistoryBehind([], PENDING)).toBe(false);
    expect(isHistoryBehind([], { ...PENDING, epoch: 3, status: 'running' })).toBe(false);
  });

  it('starts the history of a job that was leased before the history existed', () => {
    const { state } = play(LEASE);
    const history = historyAfter([], { before: state, after: state, at: at(5) });
    expect(history).toEqual([expect.objectContaining({ number: 1, startedAt: iso(0) })]);
  });
});

describe('withPhase', () => {
  it('ends a phase when the next one begins, and with the attempt', () => {
    const { history, state } = play(LEASE);
    const reported = (['preflight', 'preflight', 'copying', null] as const).reduce(
      (known, phase, index) => withPhase(known, phase, at(10 + index)),
      history,
    );
    const after = advance(state, { type: 'agent_completed' }, { now: at(20) });
    const [attempt] = historyAfter(reported, { before: state, after, at: at(20) });
    expect(attempt?.phases).toEqual([
      { phase: 'preflight', startedAt: iso(10), endedAt: iso(12) },
      { phase: 'copying', startedAt: iso(12), endedAt: iso(20) },
    ]);
  });

  it('ignores phases of an ended attempt, and those past the limit', () => {
    const { history } = play(LEASE, { type: 'agent_completed' });
    expect(withPhase(history, 'copying', at(5))).toBe(history);
    expect(withPhase([], 'copying', at(5))).toEqual([]);
    const phases = Array.from({ length: MAX_ATTEMPT_PHASES + 1 }, (_, index) =>
      index % 2 === 0 ? ('copying' as const) : ('indexing' as const),
    );
    const [attempt] = phases.reduce((known, phase) => withPhase(known, phase, at(9)), play(LEASE).history);
    expect(attempt?.phases).toHaveLength(MAX_ATTEMPT_PHASES);
  });
});
