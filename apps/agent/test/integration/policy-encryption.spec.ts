import type { DatabaseReference, SyncFailure } from '@understudy/sync-job';
import { PolicyHarness } from './policy-harness.js';

describe('the encryption rule of a policy', () => {
  let harness: PolicyHarness;
  beforeAll(async () => {
    harness = await PolicyHarness.start('CREATE TABLE t (id int)');
  });
  afterAll(() => harness.stop());

  /**
   * Runs a job that reads the test's server through an address that is not loopback. The server does not
   * support TLS.
   */
  const runFrom = (query: string, keys = ''): Promise<SyncFailure | undefined> => {
    const url = harness.source.url.replace('127.0.0.1', '0.0.0.0') + query;
    const source: DatabaseReference = { kind: 'url', url };
    const urls = `urls: [{ host: 0.0.0.0, port: "*", databases: ["*"], roles: [source] }]`;
    return harness.run(`${urls}\n${keys}`, [{ name: 't' }], { source });
  };
  const tooWeak = { code: 'sslmode_too_weak', side: 'source' };

  it('refuses a URL with sslmode=disable before it connects', async () => {
    expect(await runFrom('?sslmode=disable')).toEqual(tooWeak);
  });

  it('never falls back to plaintext if a URL has no sslmode or sslmode=prefer', async () => {
    const failed = { code: 'connection_failed', side: 'source' };
    expect(await runFrom('')).toMatchObject(failed);
    expect(await runFrom('?sslmode=prefer')).toMatchObject(failed);
    expect(await runFrom('', 'allow_plaintext: true')).toMatchObject(failed);
  });

  it('permits plaintext if the URL has sslmode=disable and the policy allows it', async () => {
    expect(await runFrom('?sslmode=disable', 'allow_plaintext: true')).toBeUndefined();
  });

  it('refuses a mode below min_sslmode', async () => {
    expect(await runFrom('?sslmode=require', 'min_sslmode: verify-full')).toEqual(tooWeak);
    expect(await runFrom('?sslmode=verify-ca', 'min_sslmode: verify-full')).toEqual(tooWeak);
    expect(await runFrom('?sslmode=verify-full', 'min_sslmode: verify-ca')).toMatchObject({
      code: 'connection_failed',
    });
  });

  it('does not apply to databases on the same machine', async () => {
    expect(await harness.run('min_sslmode: verify-full', [{ name: 't' }])).toBeUndefined();
  });
});
