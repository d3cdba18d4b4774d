/**
 * A program that runs in a network namespace (`site.ts` starts it). It starts services, relays and a proxy
 * there, and lets the test connect to servers of the namespace through a Unix socket, which belongs to no
 * network. It ends with the process that started it.
 */
import { connect, createServer, type Socket } from 'node:net';

import { startTestServices } from '../test-services.js';
import { startConnectProxy } from './connect-proxy.js';
import type { ProgramResponse, ProgramRequest, ServiceAddresses } from './namespace-calls.js';
import { TcpRelay } from './tcp-relay.js';

const relays = new Map<number, TcpRelay>();
const [socketPath = ''] = process.argv.slice(2);

createServer((client) => openGate(client)).listen(socketPath, () => answer({ id: 0 }));
process.on('message', (request: ProgramRequest) => {
  perform(request).then(
    (services) => answer({ id: request.id, ...(services && { services }) }),
    (error: unknown) => answer({ id: request.id, error: error instanceof Error ? error.message : '' }),
  );
});
process.on('disconnect', () => process.exit());

function answer(message: ProgramResponse): void {
  process.send?.(message);
}

async function perform(request: ProgramRequest): Promise<ServiceAddresses | undefined> {
  switch (request.call) {
    case 'services': {
      const { postgresUrl, redisUrl, postgresBinFolder } = await startTestServices(request.which);
      return { postgresUrl, redisUrl, postgresBinFolder };
    }
    case 'relay': {
      const { port, target, settings } = request;
      const relay = relays.get(port);
      if (relay !== undefined) relay.settings = settings;
      else relays.set(port, await TcpRelay.listen(port, target, settings));
      return undefined;
    }
    case 'proxy':
      await startConnectProxy(request.port, request.idleMs);
      return undefined;
  }
}

/** The first line names the server, `<host> <port>`. All other bytes go to the server and back. */
function openGate(client: Socket): void {
  client.once('data', (first: Buffer) => {
    const end = first.indexOf('\n');
    const [host = '', port = ''] = first.toString('utf8', 0, end).split(' ');
    client.pause();
    const server = connect(Number(port), host);
    server.write(first.subarray(end + 1));
    client.pipe(server).pipe(client);
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  client.on('error', () => client.destroy());
}
