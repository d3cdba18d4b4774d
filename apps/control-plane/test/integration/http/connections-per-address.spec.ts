import { fileURLToPath } from 'node:url';

import { describeUnless, NetworkNamespace } from '@understudy/testing';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = fileOf('open-connections.mjs');
const MODULE = fileOf('../../../dist/platform/http/server/create-server.js');

const ADDRESSES = { server: '10.9.0.1', crowd: '10.9.0.2', other: '10.9.0.3', proxy: '10.9.0.4' };
const LIMITS = {
  publicUrl: 'http://api.test',
  requestTimeoutMs: 120_000,
  maxConnections: 4_096,
  maxConnectionsPerAddress: 1_024,
};
const SERVED = 'HTTP/1.1 200 OK';

describeUnless(NetworkNamespace.whyNotPossible())('4,300 half-open connections from one address', () => {
  let namespace: NetworkNamespace;
  beforeAll(() => {
    namespace = NetworkNamespace.create('crowd');
    for (const address of Object.values(ADDRESSES))
      namespace.run('ip', 'address', 'add', `${address}/32`, 'dev', 'lo');
  });
  afterAll(() => namespace?.remove());

  it('leave connections to other addresses, and proxies have no limit of their own', () => {
    const program = [PROGRAM, MODULE, JSON.stringify(LIMITS), JSON.stringify(ADDRESSES), '4300'];
    const withFiles = ['-c', 'ulimit -n 16384 && exec "$@"', 'sh', process.execPath, ...program];
    expect(JSON.parse(namespace.run('sh', ...withFiles))).toEqual({
      crowd: LIMITS.maxConnectionsPerAddress,
      crowdServed: '',
      other: SERVED,
      withProxy: LIMITS.maxConnectionsPerAddress + 2_000,
      crowdAfterwards: SERVED,
    });
  });
});
