import type { Client, Session } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { FailureContexts } from './failure-contexts.js';
import { guard } from './guard.js';
import { located, locatedSession } from './located-client.js';

const CONTEXTS = new FailureContexts({ tables: [{ name: 's.t', columns: [{ name: 'c', rule: {} }] }] });

const serverError = (code: string, more: object = {}) =>
  Object.assign(new Error('secret'), { severity: 'ERROR', code, ...more });

/** Returns a client whose queries fail with the error, also queries that the driver passes its errors to. */
function failing(error: unknown) {
  const client = {
    ended: 0,
    query(query: unknown): unknown {
      if (typeof query === 'string') return Promise.reject(error as Error);
      (query as { handleError: (error: unknown) => void }).handleError(error);
      return query;
    },
    end: () => Promise.resolve(void client.ended++),
  };
  return client as typeof client & Client;
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a located client', () => {
  CONTEXTS.know([{ name: 'adult', tableIndex: 0, columns: ['c'] }], ['c']);
  CONTEXTS.knowRules(new Map([[0, new Set(['c'])]]));
  CONTEXTS.knowEventTriggers(['app.refuse()']);

  it.each([
    ['a lost connection', new Error('read ECONNRESET')],
    ['a missing privilege', serverError('42501')],
    ['a lock', serverError('55P03')],
    ['a broken constraint of another table', serverError('23514', { schema: 's', table: 't' })],
    ['a constraint of a rule', serverError('23514', { schema: 's', table: 't', constraint: 'adult' })],
    ['an invented constraint', serverError('23514', { constraint: 'secret' })],
    ['a column', serverError('23502', { schema: 's', table: 't', column: 'c' })],
    ['an event trigger', serverError('P0001', { where: 'PL/pgSQL function app.refuse() line 1 at RAISE' })],
    ['an unknown error', serverError('0A000')],
  ])('reports %s as a guard with the same context does', async (_, error) => {
    for (const side of ['source', 'target'] as const) {
      for (const tableIndex of [undefined, 0, 1]) {
        for (const facts of [{}, { otherwise: 'create_failed' } as const]) {
          const context = { ...CONTEXTS.on(side, tableIndex), ...facts };
          const guarded = await rejection(guard(context, () => Promise.reject(error)));
          const client = located(failing(error), CONTEXTS.on(side)).with(facts).at(tableIndex);
          const thrown = await rejection(client.query('SELECT'));
          expect(thrown).toBeInstanceOf(SyncJobError);
          expect((thrown as SyncJobError).failure).toEqual((guarded as SyncJobError).failure);
          expect((thrown as SyncJobError).cause).toBe(error);
        }
      }
    }
  });

  it('locates the errors of a query that the driver passes its errors to', () => {
    const received: unknown[] = [];
    const copy = { handleError: (error: unknown) => void received.push(error), submit: () => undefined };
    located(failing(serverError('42501')), CONTEXTS.on('source', 0)).query(copy);
    expect(received).toMatchObject([
      { failure: { code: 'permission_denied', side: 'source', tableIndex: 0 } },
    ]);
  });

  it("gives the driver's error to code that distinguishes errors by their fields", async () => {
    const error = serverError('42501');
    const client = located(failing(error), CONTEXTS.on('source')).at(0);
    expect(await rejection(client.plain.query('SELECT'))).toBe(error);
  });

  it('contains no text of the error', async () => {
    const error = serverError('22P02', { detail: 'secret', where: 'secret', column: 'secret' });
    const thrown = await rejection(located(failing(error), CONTEXTS.on('target', 0)).query('SELECT'));
    const { failure, message } = thrown as SyncJobError;
    expect(JSON.stringify([failure, message])).not.toContain('secret');
  });

  it('closes the connection of which it is a view', async () => {
    const client = failing(new Error());
    const session = { client, side: 'target', backendPid: 1 } as unknown as Session;
    await locatedSession(session, CONTEXTS.on('target')).client.at(0).end();
    expect(client.ended).toBe(1);
  });
});
