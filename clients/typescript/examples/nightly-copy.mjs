// Copies the table `customers` with masked values, at most once a day. If the program runs again on the same day, for
// example because the machine restarted, the idempotency key makes the server return the job of the first run.
//
// Set UNDERSTUDY_API_URL, UNDERSTUDY_API_TOKEN, SHOP_URL and STAGING_URL, then run: node nightly-copy.mjs
import { JobFailedError, Understudy } from '@understudy/client';

const client = new Understudy({ maxRetries: 5 });
const day = new Date().toISOString().slice(0, 10);

const job = await client.jobs.create(
  {
    name: `nightly ${day}`,
    source: { type: 'postgresql', connection_string: process.env.SHOP_URL },
    target: { type: 'postgresql', connection_string: process.env.STAGING_URL },
    tables: [
      {
        name: 'customers',
        columns: { email: { generator: 'template', pattern: '{{uuid}}@example.com' } },
        subset: { limit: 10_000 },
      },
    ],
  },
  { idempotencyKey: `nightly-${day}` },
);

try {
  const { rows_processed: rows, warnings } = await client.jobs.wait(job.id, { timeout: 3600 });
  console.log(`${job.id}: copied ${rows} rows`);
  for (const { code, message } of warnings) console.log(`${code}: ${message}`);
} catch (error) {
  if (!(error instanceof JobFailedError)) throw error;
  console.error(`${job.id}: ${error.code}: ${error.job.error?.message}`);
  process.exitCode = 1;
}
