import type { Session } from '@understudy/postgres';
import { type LocatedSession, locatedSession } from '../../session/located-client.js';
import { checkServers } from './preflight.js';

/** Returns a fake session. The test machines have no servers of old versions. */
function server(side: 'source' | 'target', majorVersion: number, databaseOid: string): LocatedSession {
  // The process id of the connection equals that of the server's session, so there is no pooler.
  const client = {
    processID: 1,
    query: () => Promise.resolve({ rows: [{ majorVersion, systemIdentifier: '7', databaseOid }] }),
  };
  return locatedSession({ client, side, backendPid: 1 } as unknown as Session, { side });
}

describe('checkServers', () => {
  it('accepts servers from version 14', async () => {
    await expect(checkServers(server('source', 14, '1'), server('target', 18, '2'))).resolves.toMatchObject({
      majorVersion: 14,
    });
  });

  it.each(['source', 'target'] as const)('refuses a %s server older than version 14', async (side) => {
    const version = (of: string) => (of === side ? 13 : 15);
    const check = checkServers(
      server('source', version('source'), '1'),
      server('target', version('target'), '2'),
    );
    await expect(check).rejects.toMatchObject({ failure: { code: 'server_too_old', side } });
  });
});
