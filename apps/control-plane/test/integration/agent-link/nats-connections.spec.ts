import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { connect } from '@nats-io/transport-node';
import { generateNatsSeeds } from '@understudy/nats-trust';

import { connectionOptions } from '../../../src/agent-link/connection/nats-connections.js';

const INFO = JSON.stringify({ server_id: 'S', version: '2.9.10', max_payload: 1_048_576, headers: true });

it('sends no data to a server that does not support TLS at a tls:// address', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    socket.write(`INFO ${INFO}\r\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = await connectionOptions(`tls://127.0.0.1:${port}`, generateNatsSeeds().account, 'test');
  const single = { ...options, waitOnFirstConnect: false, maxReconnectAttempts: 0, reconnect: false };
  await expect(connect(single)).rejects.toThrow();
  server.close();
  await once(server, 'close');
  expect(Buffer.concat(received).toString()).toBe('');
});
