import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readEverything } from '../src/skew/read-everything.js';
import { Steps, type StepRow, unlessAborted } from '../src/steps.js';

const PROGRAM = join(import.meta.dirname, '../dist/skew/cli.js');

describe('npm run skew', () => {
  let repository: string;
  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'understudy-shallow-'));
    execFileSync('git', ['init', '--quiet', repository]);
  });
  afterAll(() => rmSync(repository, { recursive: true }));

  const skew = (...args: string[]) =>
    spawnSync(process.execPath, [PROGRAM, ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_DIR: join(repository, '.git') },
    });

  it('names the commit that the history lacks, and the remedy', () => {
    expect(skew('--json')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^commit [0-9a-f]{8} is not in this checkout: git fetch --unshallow\n$/),
    });
  });

  it('prints an example in its help, and refuses unknown options', () => {
    expect(skew('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run skew -- ') });
    expect(skew('--nothing')).toMatchObject({ status: 2, stdout: '' });
  });
});

describe('the steps of an upgrade', () => {
  const failure = () => Promise.reject(new Error('expected 2, got 3'));
  const steps = () => {
    const printed: StepRow[] = [];
    return { printed, steps: new Steps((row) => printed.push(row), new AbortController().signal) };
  };

  it('go on after a step on which no other depends, and end a group after one that others need', async () => {
    const { printed, steps: all } = steps();
    await all.group(async () => {
      await all.check('one', failure);
      await all.need('two', failure);
      await all.need('three', () => Promise.resolve());
    });
    all.skip('four', 'Go is not installed');
    expect(printed.map(({ step, result, reason }) => [step, result, reason])).toEqual([
      ['one', 'failed', 'expected 2, got 3'],
      ['two', 'failed', 'expected 2, got 3'],
      ['four', 'skipped', 'Go is not installed'],
    ]);
    expect(all.rows).toEqual(printed);
  });

  it('hide an error only after an interruption, which has another exit code', async () => {
    await expect(unlessAborted(AbortSignal.abort(), failure())).resolves.toBeUndefined();
    await expect(unlessAborted(new AbortController().signal, failure())).rejects.toThrow('expected 2, got 3');
  });

  it('do not hide an error outside of a step', async () => {
    await expect(steps().steps.group(failure)).rejects.toThrow('expected 2, got 3');
  });
});

describe('readEverything', () => {
  const ANSWERS: Record<string, unknown> = {
    '/v1/org': { name: 'one' },
    '/v1/webhooks?page=1': { webhooks: [{ id: 'w/1' }], total: 2 },
    '/v1/webhooks?page=2': { webhooks: [{ id: 'w2' }], total: 2 },
    '/v1/webhooks/w%2F1': { id: 'w/1' },
    '/v1/webhooks/w2': { id: 'w2' },
    '/v1/webhooks/w%2F1/deliveries': { deliveries: [{ id: 'd1' }] },
    '/v1/webhooks/w2/deliveries': { deliveries: [] },
    '/v1/webhooks/deliveries/d1': { id: 'd1' },
  };
  let server: Server;
  let api: { baseUrl: string; token: string };
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const page = searchParams.get('page');
      const data = ANSWERS[page === null ? pathname : `${pathname}?page=${page}`];
      response.writeHead(data === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    api = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, token: 'token' };
  });
  afterAll(() => server.close());

  const paths = {
    '/webhooks/deliveries/{id}': { get: {} },
    '/webhooks/{id}/deliveries': { get: {} },
    '/webhooks/{id}': { get: {}, delete: {} },
    '/webhooks': { get: { parameters: [{ name: 'per_page' }] } },
    '/org': { get: {} },
    '/generate': { post: {} },
    '/openapi.json': { get: {} },
  };

  it('reads every page of each list and every item, whose id may be in another list', async () => {
    const read = await readEverything(api, { paths });
    expect([...read.keys()].toSorted()).toEqual([
      '/org',
      '/webhooks',
      '/webhooks/deliveries/d1',
      '/webhooks/w%2F1',
      '/webhooks/w%2F1/deliveries',
      '/webhooks/w2',
      '/webhooks/w2/deliveries',
    ]);
    expect(read.get('/webhooks')).toEqual({ items: [{ id: 'w/1' }, { id: 'w2' }] });
  });

  it.each([
    ['/snapshots', 'GET /snapshots: expected success, got status 404'],
    ['/tokens/{id}', 'expected an object for /tokens/{id}, found none'],
  ])('refuses %s, which the API does not have', async (path, message) => {
    await expect(readEverything(api, { paths: { [path]: { get: {} } } })).rejects.toThrow(message);
  });
});
