import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Understudy } from '@understudy/client';
import { shopSyncRequest } from '@understudy/quickstart';
import { loadShop, withClient } from '@understudy/local-system';
import { LiveSystem, type ProgramFiles } from '@understudy/testing';

import { run } from '../run-program.js';

const SHOP = { customers: 2_000, orders: 6_000 };
const MASKED_EMAIL = '%@example.test';

/**
 * Runs the job of the quickstart with the given server and agent, and then with the command line, if it is given.
 * @param cli the command, and a folder for the file of its job
 * @returns the rows that the job has copied
 * @throws Error if a job fails, or if an e-mail address in the target is not masked
 */
export async function runMaskedJobs(
  programs: ProgramFiles,
  cli?: { readonly command: string; readonly folder: string },
): Promise<number> {
  const system = await LiveSystem.start([NAME], { programs });
  try {
    const { token, databases } = system.of(NAME);
    await loadShop(
      new URL('/', databases.shop.url).href.replace(/\/$/, ''),
      nameOf(databases.shop.url),
      SHOP,
    );
    await system.grantShop();
    const client = new Understudy({ baseUrl: system.baseUrl, token });
    const { id } = await client.jobs.create(shopSyncRequest('agent:shop', 'agent:copy'));
    const job = await client.jobs.wait(id);
    await checkEmails(databases.copy.url);

    if (cli !== undefined) {
      const file = join(cli.folder, 'job.json');
      const request = shopSyncRequest(databases.shop.url, databases.copy.url);
      writeFileSync(file, JSON.stringify(request), { mode: 0o600 });
      await run(programs.node, [cli.command, 'sync', file], { cwd: cli.folder });
      await checkEmails(databases.copy.url);
    }
    return job.rows_processed;
  } finally {
    await system.stop();
  }
}

const NAME = 'release';

/** Checks that each customer has another address than in the source. */
async function checkEmails(targetUrl: string): Promise<void> {
  await withClient(targetUrl, async (client) => {
    const { rows } = await client.query<{ total: number; masked: number }>(
      'SELECT count(*)::int AS total, count(*) FILTER (WHERE email LIKE $1)::int AS masked FROM customers',
      [MASKED_EMAIL],
    );
    const { total = 0, masked = 0 } = rows[0] ?? {};
    if (total !== SHOP.customers || masked !== total)
      throw new Error(
        `expected ${SHOP.customers} masked customers in the target, found ${masked} of ${total}`,
      );
  });
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
