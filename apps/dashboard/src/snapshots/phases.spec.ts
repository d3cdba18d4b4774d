import { phasesOf, RESTORE_PHASES, SNAPSHOT_PHASES } from './phases.js';

describe('phasesOf', () => {
  const states = (...args: Parameters<typeof phasesOf>) => phasesOf(...args).map(({ state }) => state);

  it('shows all phases as waiting before an agent has begun', () => {
    expect(states(SNAPSHOT_PHASES, null, false)).toEqual(['waiting', 'waiting', 'waiting']);
  });

  it('shows the phases before the current one as done', () => {
    expect(states(RESTORE_PHASES, 'loading', false)).toEqual(['done', 'done', 'running', 'waiting']);
  });

  it('shows all phases as done at the end', () => {
    expect(states(SNAPSHOT_PHASES, null, true)).toEqual(['done', 'done', 'done']);
  });

  it('shows no phase as running if the server reports one that it does not know', () => {
    expect(states(SNAPSHOT_PHASES, 'polishing', false)).toEqual(['waiting', 'waiting', 'waiting']);
  });
});
