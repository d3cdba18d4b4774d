#!/usr/bin/env node
import { join } from 'node:path';

import { interruptible } from '@understudy/local-system';
import { Command } from 'commander';

import { PREVIOUS_RELEASE, previousRelease, type PreviousRelease } from './previous-release.js';
import { runSkew } from './run-skew.js';
import { describeStep, Steps, unlessAborted } from '../steps.js';

const ROOT = join(import.meta.dirname, '../../../..');
/** Exit codes. */
const FAILED = 1;
const CANNOT_RUN = 2;

await new Command('skew')
  .description(
    `Tests an upgrade from the previous release, commit ${PREVIOUS_RELEASE.slice(0, 8)}, to this checkout. Builds the packages of that commit once, and starts services of its own. Upgrades a filled system while a job runs, and uses old agents, control planes and clients with new ones.`,
  )
  .option('--json', 'print one JSON object {previous, steps: [{step, result, seconds, reason}]} at the end')
  .addHelpText(
    'after',
    '\nExample:\n  npm run skew -- --json > skew.json\n\n' +
      'Progress goes to stderr. The first run installs packages with npm. Clients in a language that is not installed are skipped.\n\n' +
      'Exit codes: 0 every step held, 1 a step failed, 2 the test cannot run, 130 interrupted.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : CANNOT_RUN))
  .action(({ json }: { readonly json?: true }) =>
    interruptible((signal) => unlessAborted(signal, skew(json === true, signal))),
  )
  .parseAsync();

async function skew(json: boolean, signal: AbortSignal): Promise<void> {
  const previous = await prepare();
  if (previous === undefined) return;
  const steps = new Steps((row) => log(describeStep(row)), signal);
  await runSkew(previous, steps);
  const failed = steps.rows.filter(({ result }) => result === 'failed').length;
  if (json) process.stdout.write(`${JSON.stringify({ previous: PREVIOUS_RELEASE, steps: steps.rows })}\n`);
  else process.stdout.write(`${steps.rows.length} steps, ${failed} failed\n`);
  if (failed > 0) process.exitCode = FAILED;
}

/** Builds the previous release. If that fails, prints the reason. */
async function prepare(): Promise<PreviousRelease | undefined> {
  try {
    return await previousRelease(ROOT, PREVIOUS_RELEASE, log);
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    process.exitCode = CANNOT_RUN;
    return undefined;
  }
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
