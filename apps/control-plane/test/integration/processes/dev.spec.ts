import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, identifyProcess } from '@understudy/local-system';
import { waitFor } from '@understudy/testing';
import { Client } from 'pg';

import type { Development } from '../../../src/commands/dev/development.js';
import { AGENT, Dev } from '../harness/dev-process.js';

describe('the command dev', () => {
  const home = mkdtempSync(join(tmpdir(), 'understudy-dev-'));
  const folder = join(home, 'data');
  const env = { PATH: `${home}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? home };
  const commands: Dev[] = [];

  beforeAll(() => symlinkSync(AGENT, join(home, 'understudy-agent')));
  afterAll(async () => {
    await Promise.all(commands.map((dev) => dev.signal('SIGTERM'))); // stops everything after a failed test, too
    rmSync(home, { recursive: true, force: true });
  });

  const pidsOf = ({ agents, ...services }: Development['pids']) =>
    [...Object.values(services), ...agents].map(Number);
  const run = (...args: string[]) => {
    const dev = new Dev(['--folder', folder, ...args], env);
    commands.push(dev);
    return dev;
  };
  const call = async <T>(
    { api_url: api, api_token_file: file }: Development,
    path: string,
    body?: object,
  ) => {
    const authorization = `Bearer ${readFileSync(file, 'utf8')}`;
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(api + path, { headers, ...init });
    return ((await response.json()) as { data: T }).data;
  };

  /** Counts the customers of a database of the sample, and those whose address is not of the source. */
  const customers = async ({ databases_url_file: file }: Development, database: string) => {
    const client = new Client({ connectionString: `${readFileSync(file, 'utf8')}/${database}` });
    await client.connect();
    const { rows } = await client.query<{ total: number; masked: number }>(
      "SELECT count(*)::int AS total, count(*) FILTER (WHERE email LIKE '%@example.test')::int AS masked FROM customers",
    );
    await client.end();
    return rows[0];
  };

  it('copies its sample, survives kill -9, and leaves no process after Ctrl-C', async () => {
    const killed = run('--sample');
    await killed.logs('creating the sample database');
    await killed.signal('SIGKILL');
    const first = run('--sample', '--allow-local-webhooks');
    const development = await first.up();
    expect(pidsOf(development.pids).map((pid) => identifyProcess(pid) !== undefined)).toEqual(
      Array(5).fill(true),
    );
    expect(statSync(development.api_token_file).mode & 0o777).toBe(0o600);

    const { origin, hash } = new URL(development.sign_in_url);
    const signIn = () =>
      fetch(`${origin}/dashboard/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ link: hash.replace('#link=', '') }),
      });
    expect([(await signIn()).status, (await signIn()).status]).toEqual([201, 401]);

    const receiver = createHttpServer((request, response) => request.resume() && response.end()).listen(
      0,
      '127.0.0.1',
    );
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const delivery = once(receiver, 'request');
    await call(development, '/webhooks', { url: `http://127.0.0.1:${port}`, events: ['sync.completed'] });
    const { sample } = development;
    expect(sample).toEqual({ source: 'agent:shop', target: 'agent:shop_staging' });
    const { id } = await call<{ id: string }>(development, '/sync/jobs', {
      name: 'try',
      source: { type: 'postgresql', connection_string: sample?.source },
      target: { type: 'postgresql', connection_string: sample?.target },
      tables: [
        {
          name: 'customers',
          columns: { email: { generator: 'template', pattern: '{{uuid}}@example.test' } },
        },
      ],
    });
    await waitFor('the end of the job', async () => {
      const { status } = await call<{ status: string }>(development, `/sync/jobs/${id}`);
      if (status === 'failed') throw new Error('the job failed');
      return status === 'completed';
    });
    await delivery;
    receiver.close();
    const copied = { shop: { total: 2_000, masked: 0 }, shop_staging: { total: 2_000, masked: 2_000 } };
    const samples = async (of: Development) => ({
      shop: await customers(of, 'shop'),
      shop_staging: await customers(of, 'shop_staging'),
    });
    expect(await samples(development)).toEqual(copied);

    await first.signal('SIGKILL');
    const second = run('--sample', '--allow-local-webhooks');
    const again = await second.up();
    expect(await samples(again)).toEqual(copied);
    expect({ ...again, sign_in_url: '' }).toEqual({ ...development, sign_in_url: '' });
    expect(await second.signal('SIGINT')).toBe(0);
    expect(pidsOf(again.pids).flatMap((pid) => identifyProcess(pid) ?? [])).toEqual([]);
  });

  it('uses its data again, and stops everything if a part ends', async () => {
    const port = await freePort();
    const dev = run('--port', String(port));
    const development = await dev.up();
    expect(development.api_url).toBe(`http://127.0.0.1:${port}/v1`);
    expect(await call(development, '/sync/jobs')).toMatchObject({ jobs: [{ name: 'try' }] });

    const other = run();
    expect(await other.ended()).toBe(1);
    expect(other.stderr).toContain('another command works in');
    expect(identifyProcess(Number(development.pids.postgres))).toBeDefined();

    process.kill(Number(development.pids.control_plane), 'SIGKILL');
    expect(await dev.ended()).toBe(1);
    expect(dev.stderr).toContain('control-plane has ended');
    expect(pidsOf(development.pids).flatMap((pid) => identifyProcess(pid) ?? [])).toEqual([]);
  });

  it('exits with 130 if Ctrl-C interrupts the start', async () => {
    const dev = run();
    await dev.logs('postgres is up');
    expect(await dev.signal('SIGINT')).toBe(130);
  });

  it('starts nothing if its port is in use', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const dev = run('--port', String(port));
    expect(await dev.ended()).toBe(1);
    expect(dev.stderr).toContain(`another process listens on 127.0.0.1:${port}`);
    expect(dev.stderr).not.toContain('is up');
    squatter.close();
  });

  it('names the missing programs and their packages', async () => {
    const nothing = { ...env, UNDERSTUDY_STACK_IGNORE_SYSTEM: '1', XDG_CACHE_HOME: home };
    const dev = new Dev(['--folder', join(home, 'other')], nothing);
    expect(await dev.ended()).toBe(1);
    expect(dev.stderr).toContain('PostgreSQL 14 or newer');
    expect(dev.stderr).toContain('sudo apt-get install postgresql redis-server nats-server');
  });

  it('starts no sample without an agent, and names the package to install', async () => {
    const dev = new Dev(['--sample', '--folder', join(home, 'other')], { ...env, PATH: '/usr/bin:/bin' });
    expect(await dev.ended()).toBe(1);
    expect(dev.stderr).toMatch(/expected the program understudy-agent.*\nTo fix it: install the package/);
    expect(dev.stderr).not.toContain('is up');
  });

  it('refuses a folder in which it cannot create files', async () => {
    writeFileSync(join(home, 'file'), '');
    const dev = new Dev(['--folder', join(home, 'file/data')], env);
    expect(await dev.ended()).toBe(1);
    expect(dev.stderr).toMatch(/expected a folder in which files can be created.*ENOTDIR/);
  });

  it.each(['0', '65536', 'x'])('refuses the port %s', async (port) => {
    expect(await run('--port', port).ended()).toBe(2);
  });
});
