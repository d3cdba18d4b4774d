import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { generateNatsSeeds } from '@understudy/agent-protocol/nats-trust';
import { Outbound } from '@understudy/outbound';

import { connectAsControlPlane } from '../../../src/agents/agent-link/connection/nats-connections.js';

const INFO = JSON.stringify({ server_id: 'S', version: '2.9.10', max_payload: 1_048_576, headers: true });

it('sends no data to a server that does not support TLS at a tls:// address', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket: Socket) => {
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    socket.write(`INFO ${INFO}\r\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { account, operator, agentAccount, systemAccount } = generateNatsSeeds();
  const url = `tls://127.0.0.1:${port}`;
  const nats = {
    url,
    publicUrl: url,
    operatorSeed: operator,
    accountSeed: account,
    agentAccountSeed: agentAccount,
    systemAccountSeed: systemAccount,
  };
  const stop = new AbortController();
  const failures: string[] = [];
  const onFailure = (error: Error): void => {
    failures.push(error.message);
    stop.abort();
  };
  await expect(
    connectAsControlPlane(new Outbound(), nats, { signal: stop.signal, onFailure }),
  ).rejects.toThrow();
  expect(failures).toEqual(['the NATS server does not offer TLS']);
  server.close();
  await once(server, 'close');
  expect(Buffer.concat(received).toString()).toBe('');
});
