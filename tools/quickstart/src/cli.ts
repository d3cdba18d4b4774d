#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { Understudy } from '@understudy/client';
import { checkoutPrograms } from '@understudy/testing/provision';
import { createEmptyDatabase, dashboardLink, interruptible, loadShop } from '@understudy/local-system';
import { stackDown, stackUp } from '@understudy/stack';
import { asSource, asTarget } from '@understudy/testing';

import { beforeAndAfter } from './before-after.js';
import { Steps } from './steps.js';
import { shopSyncRequest } from './sync-request.js';
import { watchJob } from './watch-job.js';

const SOURCE = 'shop_production';
const TARGET = 'shop_staging';

interface Options {
  readonly exit?: boolean;
  readonly dataDir?: string;
  readonly customers: number;
  readonly orders: number;
}

// If the terminal or pipe is closed, this process must still stop everything that it started.
process.stdout.on('error', () => undefined);

const command = new Command('quickstart')
  .description(
    'Copies a sample production database to a safe one: starts the stack, creates a shop, posts a sync job and shows the result.',
  )
  .option(
    '--exit',
    'stop everything at the end instead of waiting for Ctrl-C (the default without a terminal)',
  )
  .option('--data-dir <folder>', 'folder of the stack (default: .understudy)')
  .option('--customers <count>', 'number of customers in the shop', count, 100_000)
  .option('--orders <count>', 'number of orders in the shop', count, 300_000)
  .addHelpText(
    'after',
    '\nExample:\n  npm run quickstart -- --exit\n\nExit codes: 0 the job completed, 1 it did not complete.',
  )
  .action((options: Options) => interruptible((signal) => quickstart(options, signal)));

try {
  await command.parseAsync();
} catch (error) {
  write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function quickstart(options: Options, signal: AbortSignal): Promise<void> {
  const location = { dataDir: options.dataDir };
  const staysUp = options.exit !== true && process.stdout.isTTY;
  const steps = new Steps(5, write, signal);
  try {
    const stack = await steps.run('Starting PostgreSQL, Redis, NATS, the control plane and an agent', () =>
      stackUp({ ...location, signal, log: (line) => write(`      ${line}\n`) }),
    );
    // The administrator creates the roles that `understudy-agent grants` describes.
    const source = `${stack.databases_admin_url}/${SOURCE}`;
    const target = `${stack.databases_admin_url}/${TARGET}`;

    await steps.run(
      `Creating ${SOURCE} (${options.customers} customers, ${options.orders} orders) and an empty ${TARGET}`,
      async () => {
        const rows = await loadShop(stack.databases_url, SOURCE, options);
        await createEmptyDatabase(stack.databases_url, TARGET);
        write(`      ${rows} rows loaded\n`);
      },
    );

    const client = new Understudy({ baseUrl: stack.base_url, token: stack.api_token });
    const request = shopSyncRequest(await asSource({ url: source }), await asTarget({ url: target }));
    const job = await steps.run('Posting the sync job and following it', async () => {
      write(curl(stack.base_url, stack.api_token, request));
      const created = await client.jobs.create(request);
      write(`      201 Created: ${created.id}\n`);
      return watchJob(client, created.id, write);
    });

    await steps.run('The job, as GET /v1/sync/jobs/:id returns it', async () =>
      write(`${JSON.stringify(job, null, 2)}\n`),
    );
    if (job.status !== 'completed')
      throw new Error(`The job ${job.status}: ${job.error?.message ?? 'no reason given'}`);
    await steps.run(`Five customers of ${SOURCE} (before) and ${TARGET} (after)`, async () => {
      for (const line of await beforeAndAfter(source, target)) write(`${line}\n`);
    });

    write(`\n${speed(job.rows_processed, job.started_at, job.completed_at)}\n`);
    write(`${job.phases.map(({ phase, seconds }) => `${phase} ${seconds.toFixed(1)} s`).join(', ')}.\n`);
    if (job.verification?.ok === true)
      write(`Verified before the target was switched: ${job.verification.checks.length} checks passed.\n`);
    for (const model of job.models)
      write(`Trained on the agent, where it stays: ${model.name} (keyed hash ${model.hash})\n`);
    const dashboard = await dashboardLink(stack, checkoutPrograms().controlPlane);
    write(`\nOpen the dashboard, and see this job there:\n  ${dashboard.signInUrl}\n`);
    write('The link works once, within 10 minutes.\n');
    write(
      `\nContinue with:\n  dashboard  ${dashboard.url}\n  API        ${stack.base_url}\n  token      ${stack.api_token}\n  ops page   ${stack.ops_url}  (user ${stack.ops_user}, password ${stack.ops_password})\n  databases  ${stack.databases_url}/…\n  logs       ${stack.logs_dir}\n`,
    );
    if (staysUp) {
      write('\nThe stack runs until you press Ctrl-C.\n');
      await untilAborted(signal);
      process.exitCode = 0; // here, Ctrl-C is the normal end and not a failure
    }
  } finally {
    write('\nStopping everything …\n');
    await stackDown(location);
    write('The databases are kept. To start everything again: npm run stack -- up\n');
  }
}

function curl(baseUrl: string, token: string, request: object): string {
  const body = JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${baseUrl}/sync/jobs -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '\n${body}'\n`;
}

/**
 * Waits until the signal aborts. It uses a timer, because a promise or a signal handler does not keep the
 * process running.
 */
async function untilAborted(signal: AbortSignal): Promise<void> {
  const timer = setInterval(() => undefined, 60_000);
  try {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    clearInterval(timer);
  }
}

function speed(rows: number, startedAt: string | null, completedAt: string | null): string {
  if (startedAt === null || completedAt === null) return `${rows} rows`;
  const seconds = (Date.parse(completedAt) - Date.parse(startedAt)) / 1000;
  return `${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en')} rows per second, including training and index builds.`;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > 100_000_000)
    throw new InvalidArgumentError('expected a whole number from 1 to 100,000,000');
  return value;
}

function write(text: string): void {
  process.stdout.write(text);
}
