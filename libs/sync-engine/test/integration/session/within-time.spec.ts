import { startTestServices, type TestServices } from '@understudy/testing';
import {
  parseConnectionUrl,
  disconnect,
  killSession,
  openSession,
  releasingLocks,
  type Session,
  withinTime,
} from '@understudy/postgres';
import { joinSnapshot } from '../../../src/source/join-snapshot.js';
import { failureOf } from '../../../src/session/guard.js';

let services: TestServices;
beforeAll(async () => {
  services = await startTestServices({ postgres: true });
});
afterAll(() => services.stop());

it('cancels a statement that takes too long, and does not limit later statements', async () => {
  const session = await openSession(parseConnectionUrl(`${services.postgresUrl}/postgres`), 'source');
  const { client } = session;
  await expect(withinTime([session], () => client.query('SELECT pg_sleep(60)'), 20)).rejects.toMatchObject({
    code: '57014',
  });
  const { rows } = await client.query('SHOW statement_timeout');
  expect(rows).toEqual([{ statement_timeout: '0' }]);
  await disconnect(client);
});

describe('a session that breaks while it is idle', () => {
  const { signal } = new AbortController();
  const uses: Record<string, (session: Session) => Promise<unknown>> = {
    'a query': ({ client }) => client.query('SELECT'),
    releasingLocks: ({ client }) => releasingLocks(client, () => client.query('SELECT')),
    withinTime: (session) => withinTime([session], () => session.client.query('SELECT')),
    joinSnapshot: ({ client }) => joinSnapshot(client, '0-1'),
  };

  it.each(Object.keys(uses))(
    'makes %s fail with connection_lost and its side, without a guard',
    async (use) => {
      const session = await openSession(parseConnectionUrl(`${services.postgresUrl}/postgres`), 'source');
      await killSession(session);
      const failing = uses[use]?.(session) ?? Promise.resolve();
      const error: unknown = await failing.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(failureOf(error, signal)).toEqual({ code: 'connection_lost', side: 'source' });
      await disconnect(session.client);
    },
  );

  it('keeps the SQLSTATE and the class of errors of statements', async () => {
    const session = await openSession(parseConnectionUrl(`${services.postgresUrl}/postgres`), 'target');
    const error: unknown = await session.client.query('SELECT 1 / 0').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '22012', severity: 'ERROR' });
    expect(failureOf(error, signal)).toEqual({ code: 'value_invalid', side: 'target', sqlstate: '22012' });
    await disconnect(session.client);
  });
});
