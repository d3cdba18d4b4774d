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
});
