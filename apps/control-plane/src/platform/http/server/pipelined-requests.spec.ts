import { once } from 'node:events';
import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PipelinedRequests } from './pipelined-requests.js';

describe('PipelinedRequests', () => {
  it('closes a connection after the response to a request that ran while the server closed', async () => {
    const handled: ServerResponse[] = [];
    const server: Server = createServer(
      new PipelinedRequests(
        (_, response) => void handled.push(response),
        () => !server.listening,
      ).take,
    );
    server.keepAliveTimeout = 0; // the client keeps the connection, and the server has no limit on idle ones
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const agent = new Agent({ keepAlive: true });
    const { port } = server.address() as AddressInfo;
    const request = get({ agent, host: '127.0.0.1', port });
    await once(server, 'request');
    const closed = once(server.close(), 'close');
    handled[0]?.end('done');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    expect(await once(response.setEncoding('utf8'), 'data')).toEqual(['done']);
    await closed;
    agent.destroy();
  });
});
