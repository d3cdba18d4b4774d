import { startTestServices, type TestServices } from '@understudy/testing';
import { parseConnectionUrl, disconnect, openSession, withinTime } from '@understudy/postgres';

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
