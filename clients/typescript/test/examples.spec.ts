import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { FaultServer } from '../../test/support/fault-server.js';

const FOLDER = join(import.meta.dirname, '../examples');

describe('the example', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await FaultServer.start();
  });
  afterAll(() => server.stop());

  /** Runs an example with the built package, and returns its output. */
  async function run(name: string): Promise<string> {
    const env = {
      UNDERSTUDY_API_URL: server.url,
      UNDERSTUDY_API_TOKEN: 'token',
      SHOP_URL: 'postgres://shop',
      STAGING_URL: 'postgres://staging',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, name)], { env });
    return stdout;
  }

  it('nightly-copy.mjs creates one job a day and waits for it', async () => {
    server.play([
      { status: 202, data: { id: 'job_1', status: 'pending' } },
      { data: { id: 'job_1', status: 'running' } },
      {
        data: {
          id: 'job_1',
          status: 'completed',
          rows_processed: 7,
          warnings: [{ code: 'subset', message: 'Some rows were left out.' }],
        },
      },
    ]);
    expect(await run('nightly-copy.mjs')).toBe('job_1: copied 7 rows\nsubset: Some rows were left out.\n');
    expect(server.requests[0]?.headers['idempotency-key']).toMatch(/^nightly-\d{4}-\d{2}-\d{2}$/);
  });

  it('expiring-tokens.mjs lists the tokens of all pages that expire soon', async () => {
    const token = (id: string, days: number): object => ({
      id,
      name: 'CI',
      expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
    });
    const tokens = Array.from({ length: 100 }, (_, index) => token(`tok_${index}`, 90));
    server.play([
      { data: { tokens, total: 101, page: 1, per_page: 100 } },
      { data: { tokens: [token('tok_100', 3)], total: 101, page: 2, per_page: 100 } },
    ]);
    expect(await run('expiring-tokens.mjs')).toMatch(
      /^tok_100 {2}\S+ {2}CI\n1 tokens expire within 30 days\n$/,
    );
  });
});
