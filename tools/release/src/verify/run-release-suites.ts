import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureToolchains, RELEASE_TOOLCHAINS } from '@understudy/testing/provision';

import type { StepRow } from '../steps.js';
import { runInGroup } from './run-in-group.js';

/** The configuration of Jest that selects the suites which `npm test` leaves to a release. */
const CONFIG = 'tools/release/jest.config.mjs';

/**
 * Runs the suites that `npm test` leaves to a release. Their output goes to stderr. A missing program is an error, and
 * not a reason to skip a suite, so the programs that `npm test` does not install are installed first.
 * @param patterns select suites whose paths match one of them; empty for all
 * @param report the path of a file that does not exist, for the rows of suites-reporter.cjs
 * @param log receives a line for each step of an installation
 * @param signal ends the suites, and everything that they have started
 * @returns a row for each suite
 * @throws Error if Jest ended before all suites had a result
 */
export async function runReleaseSuites(
  root: string,
  patterns: readonly string[],
  report: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly StepRow[]> {
  await ensureToolchains(RELEASE_TOOLCHAINS, log);
  const args = [join(root, 'tools/run.mjs'), 'test', '--config', CONFIG, ...patterns];
  const code = await runInGroup(process.execPath, args, {
    cwd: root,
    env: { ...process.env, UNDERSTUDY_REQUIRE_TOOLCHAINS: '1', UNDERSTUDY_SUITES_REPORT: report },
    signal,
  });
  signal.throwIfAborted();
  const rows = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as readonly StepRow[]) : [];
  const isComplete = rows.length > 0 && (code === 0 || rows.some(({ result }) => result === 'failed'));
  if (!isComplete) throw new Error(`expected a result of each suite; Jest ended with ${code ?? 'a signal'}`);
  return rows;
}
