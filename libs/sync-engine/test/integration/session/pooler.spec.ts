import { startTestServices, type TestServices } from '@understudy/testing';
import { parseConnectionUrl, disconnect, refusePooler, openSession } from '@understudy/postgres';
import { SmallPooler } from '../engine/small-pooler.js';

describe('a pooler in between', () => {
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

  it('that gives each transaction another process is refused', async () => {
    const pooler = await SmallPooler.start(`${services.postgresUrl}/postgres`, 'transaction');
    await expect(check(pooler.url)).rejects.toMatchObject({
      code: 'pooler_unsupported',
      side: 'source',
    });
    pooler.stop();
  });

  it('that gives each client its own is as good as none', async () => {
    const pooler = await SmallPooler.start(`${services.postgresUrl}/postgres`, 'session');
    await check(pooler.url);
    await check(`${services.postgresUrl}/postgres`);
    pooler.stop();
  });
});
