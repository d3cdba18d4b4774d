import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { Outbound } from '@understudy/outbound';
import { waitFor } from '@understudy/testing';

import { ConnectionWatch } from '../../src/index.js';

it('reports each change of the reason once, until the connection is up', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('+OK\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let probes = 0;
  server.on('connection', () => probes++);
  const reports: string[] = [];
  const watch = new ConnectionWatch(
    new Outbound(),
    [`tls://127.0.0.1:${port}`],
    (reason) => reports.push(reason),
    {
      pauseMs: 10,
    },
  );
  expect(watch.reason).toBeUndefined();
  watch.down();
  watch.down();
  await waitFor('three probes', async () => probes >= 3);
  expect(reports).toEqual([`cannot reach 127.0.0.1:${port}: the server is not a NATS server`]);
  expect(watch.reason).toBe(reports[0]);
  server.close();
  await once(server, 'close');
  // A connection that the end of the server cuts may have a reason of its own.
  const refused = `cannot reach 127.0.0.1:${port}: the connection was refused; check the port, and that the server runs`;
  await waitFor('the next reason', async () => reports.at(-1) === refused);
  expect(reports.filter((reason) => reason === refused)).toHaveLength(1);
  watch.up();
  expect(watch.reason).toBeUndefined();
  watch.down();
  await waitFor('the reason of the next interruption', async () => watch.reason !== undefined);
  watch.up();
  expect(reports.slice(-2)).toEqual([refused, refused]);
});

it('reports what the server answered to the client if the probes reach the server', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).write('INFO {}\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reports: string[] = [];
  const watch = new ConnectionWatch(
    new Outbound(),
    [`nats://127.0.0.1:${port}`],
    (reason) => reports.push(reason),
    {
      pauseMs: 10,
    },
  );
  watch.down();
  await waitFor('a reason that is not known', async () => reports.length === 1);
  watch.refused('NATS refused the credentials');
  await waitFor('the reason', async () => reports.length === 2);
  watch.up();
  expect(reports).toEqual([
    `cannot reach 127.0.0.1:${port}: the server accepts connections, but did not respond as expected`,
    `cannot reach 127.0.0.1:${port}: NATS refused the credentials`,
  ]);
  server.close();
});
