import { getEventListeners } from 'node:events';
import type { Session } from '@understudy/postgres';
import { JobSessions } from './job-sessions.js';

describe('JobSessions', () => {
  it('keeps one listener of its signal, however many sessions it opens', async () => {
    const { signal } = new AbortController();
    const sessions = new JobSessions(signal);
    const session = { client: { end: () => Promise.resolve() } } as unknown as Session;
    for (let i = 0; i < 20; i++) await sessions.open(() => Promise.resolve(session));
    await expect(sessions.open(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await sessions.close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('closes the kept sessions that nobody has taken, and leaves the others to those who took them', async () => {
    const closed: string[] = [];
    const sessionNamed = (name: string, side: 'source' | 'target') =>
      ({ side, client: { end: () => Promise.resolve(closed.push(name)) } }) as unknown as Session;
    const sessions = new JobSessions(new AbortController().signal);
    const taken = sessionNamed('taken', 'target');
    for (const session of [sessionNamed('source', 'source'), taken, sessionNamed('left', 'target')])
      sessions.keep(session);
    expect(sessions.take('target')).toBe(taken);
    await sessions.close();
    expect(closed).toEqual(['source', 'left']);
  });

  it('closes sessions that are opened or kept after it was closed', async () => {
    const sessions = new JobSessions(new AbortController().signal);
    let closed = 0;
    const session = {
      side: 'source',
      client: { end: () => Promise.resolve((closed += 1)) },
    } as unknown as Session;
    let opened: (session: Session) => void = () => undefined;
    const opening = sessions.open(() => new Promise<Session>((resolve) => (opened = resolve)));
    await sessions.close();
    opened(session);
    await opening;
    sessions.keep(session);
    expect(closed).toBe(2);
  });

  it('has no session to take after the spare ones were closed', async () => {
    const sessions = new JobSessions(new AbortController().signal);
    let closed = 0;
    const client = { end: () => Promise.resolve((closed += 1)) };
    sessions.keep({ side: 'source', client } as unknown as Session);
    await sessions.closeSpare();
    expect([closed, sessions.take('source')]).toEqual([1, undefined]);
    await sessions.close();
    expect(closed).toBe(1);
  });
});
