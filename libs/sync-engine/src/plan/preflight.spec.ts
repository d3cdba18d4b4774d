import type { Session } from '@understudy/postgres';
import { FailureContexts } from '../session/failure-contexts.js';
import { checkServers } from './preflight.js';

/** Stands for a server of that version: none so old is installed where the tests run. */
function server(side: 'source' | 'target', version: string, database: string): Session {
  // Its process is the one it greets with: no pooler in between.
  const client = {
    processID: 1,
    query: () => Promise.resolve({ rows: [{ version, system: '7', database }] }),
  };
  return { client, side, backendPid: 1 } as unknown as Session;
}

const contexts = new FailureContexts({ tables: [] });

describe('checkServers', () => {
  it('takes servers from version 14', async () => {
    await expect(
      checkServers(server('source', '140000', '1'), server('target', '180001', '2'), contexts),
    ).resolves.toMatchObject({
      majorVersion: 14,
    });
  });

  it.each(['source', 'target'] as const)('refuses an older %s', async (side) => {
    const version = (of: string) => (of === side ? '130022' : '150000');
    const check = checkServers(
      server('source', version('source'), '1'),
      server('target', version('target'), '2'),
      contexts,
    );
    await expect(check).rejects.toMatchObject({ failure: { code: 'server_too_old', side } });
  });
});
