import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  createTestDatabase,
  startTestServices,
  TestAuthority,
  waitFor,
  type TestServices,
} from '@understudy/testing';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';

import { redisTls } from '../../../src/platform/config/service-tls.js';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source.js';

// On Linux, 0.0.0.0 connects to this machine, but it is not a loopback address.
const REMOTE = '0.0.0.0';

let services: TestServices;
let folder: string;
let authority: TestAuthority;
let databaseUrl: string;
let redisPort: number;
const caFile = () => join(folder, 'ca.pem');

beforeAll(async () => {
  services = await startTestServices({ postgres: true, redis: true });
  folder = mkdtempSync(join(tmpdir(), 'understudy-service-tls-'));
  authority = await TestAuthority.create();
  writeFileSync(caFile(), authority.ca);
  const { cert, key } = await authority.issue([REMOTE]);

  const database = await createTestDatabase(services.postgresUrl);
  databaseUrl = database.url;
  const [row] = (await database.query('SHOW data_directory')).rows;
  const data = String(row?.['data_directory']);
  const { uid, gid } = statSync(data);
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
  await database.query('ALTER SYSTEM SET ssl = on');
  await database.query('SELECT pg_reload_conf()');
  await waitFor('TLS of PostgreSQL', async () => isEncrypted(REMOTE, '?sslmode=require').catch(() => false));

  writeFileSync(join(folder, 'redis.crt'), cert);
  writeFileSync(join(folder, 'redis.key'), key);
  redisPort = await freePort();
  const admin = new Redis(services.redisUrl);
  await admin.call(
    ...(['CONFIG', 'SET', 'tls-auth-clients', 'no', 'tls-cert-file', join(folder, 'redis.crt')] as const),
    ...['tls-key-file', join(folder, 'redis.key'), 'tls-port', String(redisPort)],
  );
  await admin.call('CONFIG', 'SET', 'bind', '0.0.0.0');
  await admin.quit();
});
afterAll(async () => {
  await services?.stop();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function optionsFor(host: string, query: string, trusts: boolean) {
  const url = `${databaseUrl.replace('127.0.0.1', host)}${query}`;
  return dataSourceOptions({ url, ...(trusts ? { outbound: { caFile: caFile() } } : {}) });
}

async function isEncrypted(host: string, query = '', trusts = false): Promise<boolean> {
  const dataSource = await new DataSource(optionsFor(host, query, trusts)).initialize();
  try {
    const [row] = await dataSource.query<{ ssl: boolean }[]>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return row?.ssl ?? false;
  } finally {
    await dataSource.destroy();
  }
}

describe('the connection to PostgreSQL', () => {
  it.each([
    ['on another machine, without sslmode', REMOTE, '', true],
    ['with require, to a server that is not trusted', REMOTE, '?sslmode=require', false],
    ['with verify-ca, to a server with another name', '127.0.0.1', '?sslmode=verify-ca', true],
    ['with verify-full', REMOTE, '?sslmode=verify-full', true],
  ])('is encrypted %s', async (_, host, query, trusts) => {
    expect(await isEncrypted(host, query, trusts)).toBe(true);
  });

  it.each([
    ['on loopback, without sslmode', '127.0.0.1', ''],
    ['with disable', REMOTE, '?sslmode=disable'],
    ['with prefer, although the server has TLS', REMOTE, '?sslmode=prefer'],
  ])('is not encrypted %s', async (_, host, query) => {
    expect(await isEncrypted(host, query)).toBe(false);
  });

  it.each([
    ['without sslmode, if the server is not trusted', REMOTE, '', false],
    ['with verify-ca, if the server is not trusted', REMOTE, '?sslmode=verify-ca', false],
    ['with verify-full, if the server has another name', '127.0.0.1', '?sslmode=verify-full', true],
  ])('is refused %s', async (_, host, query, trusts) => {
    await expect(isEncrypted(host, query, trusts)).rejects.toThrow(/certificate|altnames/i);
  });

  it('uses a CA file that was replaced, without a restart', async () => {
    const options = optionsFor(REMOTE, '', true);
    const connect = async () => (await new DataSource(options).initialize()).destroy();
    writeFileSync(caFile(), (await TestAuthority.create('another')).ca);
    await expect(connect()).rejects.toThrow(/certificate/);
    writeFileSync(caFile(), authority.ca);
    await connect();
  });
});

describe('the connection to Redis', () => {
  async function ping(host: string, trusts: boolean): Promise<string> {
    const { password } = new URL(services.redisUrl);
    const url = `rediss://:${password}@${host}:${redisPort}`;
    const tls = redisTls(url, trusts ? { caFile: caFile() } : {});
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, ...tls });
    const failed = new Promise<never>((_, reject) => redis.once('error', reject));
    try {
      return await Promise.race([redis.connect().then(() => redis.ping()), failed]);
    } finally {
      redis.disconnect();
    }
  }

  it('is encrypted with rediss://', async () => {
    expect(await ping(REMOTE, true)).toBe('PONG');
  });

  it.each([
    ['is not trusted', REMOTE, false],
    ['has another name', '127.0.0.1', true],
  ])('is refused if the server %s', async (_, host, trusts) => {
    await expect(ping(host, trusts)).rejects.toThrow(/certificate|altnames/i);
  });
});
