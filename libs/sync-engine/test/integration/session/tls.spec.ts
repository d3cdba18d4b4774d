import { chownSync, chmodSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
  waitFor,
} from '@understudy/testing';
import {
  type ConnectionTarget,
  parseConnectionUrl,
  disconnect,
  findPgTools,
  dumpSchema,
  openSession,
} from '@understudy/postgres';
import { holdSnapshot } from '../../../src/source/snapshot-keeper.js';

/** A certificate for this test, which is valid for 127.0.0.1 and for a hundred years. Its key protects no real data. */
const TLS = join(import.meta.dirname, '../engine/tls');
const CERTIFICATE = join(TLS, 'server-certificate.pem');
const signal = new AbortController().signal;
const order = { sessionName: 'understudy test', tables: [], signal };

describe('a connection to a server with TLS', () => {
  let services: TestServices;
  let database: TestDatabase;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    database = await createTestDatabase(services.postgresUrl, 'CREATE TABLE t (id int)');
    const { rows } = await database.query('SHOW data_directory');
    const folder = String(rows[0]?.['data_directory']);
    for (const file of ['server-certificate.pem', 'server-key.pem']) {
      const copy = join(folder, file);
      copyFileSync(join(TLS, file), copy);
      chmodSync(copy, 0o600);
      const { uid, gid } = statSync(folder);
      chownSync(copy, uid, gid);
    }
    await database.query("ALTER SYSTEM SET ssl_cert_file = 'server-certificate.pem'");
    await database.query("ALTER SYSTEM SET ssl_key_file = 'server-key.pem'");
    await database.query('ALTER SYSTEM SET ssl = on');
    await database.query('SELECT pg_reload_conf()');
    await waitFor('TLS', async () => (await isEncrypted('require').catch(() => false)) || undefined);
  });
  afterEach(() => {
    delete process.env['NODE_EXTRA_CA_CERTS'];
  });
  afterAll(async () => {
    await database.drop();
    await services.stop();
  });

  const target = (sslMode: string) => parseConnectionUrl(`${database.url}?sslmode=${sslMode}`);
  const isEncrypted = (sslMode: string) => isEncryptedAt(target(sslMode));
  const isEncryptedAt = async (at: ConnectionTarget): Promise<boolean> => {
    const { client } = await openSession(at, 'source');
    const { rows } = await client.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    await disconnect(client);
    return rows[0]?.ssl ?? false;
  };

  it('is not encrypted on the loopback interface, unless the URL requests encryption', async () => {
    expect(await isEncrypted('disable')).toBe(false);
    expect(await isEncrypted('prefer')).toBe(false);
    expect(await isEncrypted('require')).toBe(true);
  });

  it('is encrypted outside the loopback interface, unless the URL sets sslmode=disable', async () => {
    // On Linux, 0.0.0.0 connects to this machine, but it is not a loopback address.
    const remote = database.url.replace('127.0.0.1', '0.0.0.0');
    expect(remote).toContain('@0.0.0.0:');
    expect(await isEncryptedAt(parseConnectionUrl(remote))).toBe(true);
    expect(await isEncryptedAt(parseConnectionUrl(`${remote}?sslmode=prefer`))).toBe(true);
    expect(await isEncryptedAt(parseConnectionUrl(`${remote}?sslmode=disable`))).toBe(false);
  });

  it.each(['verify-ca', 'verify-full'])(
    'is refused with %s if the certificate authority is unknown',
    async (mode) => {
      await expect(isEncrypted(mode)).rejects.toMatchObject({ code: 'connection_failed' });
    },
  );

  it.each(['verify-ca', 'verify-full'])(
    'is accepted with %s, also for pg_dump, if the agent knows the certificate authority',
    async (mode) => {
      // Node.js reads the authority when a process starts. An idle snapshot keeper may have started without it.
      await (await holdSnapshot({ ...order, source: target('require') })).release();
      process.env['NODE_EXTRA_CA_CERTS'] = CERTIFICATE;
      const snapshot = await holdSnapshot({ ...order, source: target(mode) });
      const archive = await dumpSchema({
        tools: await findPgTools({ pgBinDir: services.postgresBinFolder }, 14),
        database: target(mode),
        selection: [`--snapshot=${snapshot.snapshotId}`],
        signal,
      });
      expect(archive.entries.join()).toContain('TABLE public t');
      await archive.remove();
      await snapshot.release();
    },
  );
});
