import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { waitFor } from '@understudy/testing';

import { DatabaseWaits } from './database-waits.js';
import { limitedDriver } from './limited-driver.js';

describe('limitedDriver', () => {
  const sockets: Socket[] = [];
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  it('survives a server that accepts connections and never responds', async () => {
    const { port } = server.address() as AddressInfo;
    const { Pool } = limitedDriver(20);
    const pool = new Pool({ host: '127.0.0.1', port, max: 1, connectionTimeoutMillis: 200 });
    // The second one waits for a connection of the pool. The pool ends both waits after the limit.
    const failures = [1, 2].map(
      () =>
        new Promise<Error | undefined>((resolve) => {
          new DatabaseWaits().during(() => pool.connect(resolve));
        }),
    );
    for (const failure of failures) expect((await failure)?.message).toContain('timeout exceeded');
    await waitFor('the end of both waits', async () => pool.waitingCount + pool.totalCount === 0);
    await pool.end();
  });
});
