import { startTestServices, type TestServices } from '@understudy/testing';
import { parseConnectionUrl, disconnect, refusePooler, openSession } from '@understudy/postgres';
import { SmallPooler } from '../engine/small-pooler.js';

describe('refusePooler', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
  });
  afterAll(() => services.stop());

  const check = async (url: string): Promise<void> => {
    const session = await openSession(parseConnectionUrl(url), 'source');
    try {
      await refusePooler(session);
    } finally {
      await disconnect(session.client);
    }
  };

  it('refuses a pooler that assigns another server process to each transaction', async () => {
    const pooler = await SmallPooler.start(`${services.postgresUrl}/postgres`, 'transaction');
    await expect(check(pooler.url)).rejects.toMatchObject({
      code: 'pooler_unsupported',
      side: 'source',
    });
    pooler.stop();
  });

  it('accepts a pooler that assigns one server process to each client, and a direct connection', async () => {
    const pooler = await SmallPooler.start(`${services.postgresUrl}/postgres`, 'session');
    await check(pooler.url);
    await check(`${services.postgresUrl}/postgres`);
    pooler.stop();
  });
});
