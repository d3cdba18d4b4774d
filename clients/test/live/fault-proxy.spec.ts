import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FaultProxy, FAULT_POINTS } from './fault-proxy.js';

describe('the fault proxy', () => {
  let server: Server;
  let bodies: string[] = [];
  let proxy: FaultProxy | undefined;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.end('created');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() => (bodies = []));
  afterEach(() => proxy?.stop());

  const send = async (share: number, count: number): Promise<string[]> => {
    const { port } = server.address() as AddressInfo;
    proxy = await FaultProxy.start(`http://127.0.0.1:${port}/v1`, 1, share);
    const outcomes: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = fetch(proxy.url, { method: 'POST', body: `request ${index}` });
      outcomes.push(await response.then((ok) => ok.text()).catch(() => 'broken'));
    }
    return outcomes;
  };

  it('passes requests and responses on', async () => {
    expect(await send(0, 3)).toEqual(['created', 'created', 'created']);
    expect(bodies).toEqual(['request 0', 'request 1', 'request 2']);
  });

  it('breaks every connection at one of the points', async () => {
    expect(new Set(await send(1, 100))).toEqual(new Set(['broken']));
    const broken = proxy?.broken as FaultProxy['broken'];
    expect(FAULT_POINTS.filter((point) => broken[point] < 10)).toEqual([]);
    // Each request reaches the server whole or not at all.
    expect(bodies.filter((body) => !/^request \d+$/.test(body))).toEqual([]);
    expect(bodies.length).toBeGreaterThanOrEqual(broken.beforeResponse + broken.withinResponse);
    expect(bodies.length).toBeLessThanOrEqual(100 - broken.beforeRequest - broken.withinRequest);
  });

  it('breaks the given share of the connections', async () => {
    const outcomes = await send(0.3, 200);
    expect(proxy?.requests).toBe(200);
    expect(outcomes.filter((outcome) => outcome === 'broken')).toHaveLength(
      FAULT_POINTS.reduce((sum, point) => sum + (proxy?.broken[point] ?? 0), 0),
    );
    expect(outcomes.filter((outcome) => outcome === 'broken').length).toBeGreaterThan(40);
  });
});
