import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inColumns } from '@understudy/quickstart';

import { packRelease, type Release } from '../pack-release.js';
import { PROGRAMS } from '../staging/stage-program.js';
import { run } from '../run-program.js';
import { describeStep, Steps, type StepRow } from '../steps.js';
import { installProgram, programFiles, withNode, type InstalledProgram } from './installed-programs.js';
import { runMaskedJobs } from './masked-job.js';
import { provideNode } from './node-versions.js';
import { runReleaseSuites } from './run-release-suites.js';

/** The results of one program with one version of Node.js. */
export interface VerifiedProgram {
  readonly package: string;
  readonly node: string;
  readonly install_seconds: number;
  /** The bytes of the installed files. */
  readonly size: number;
  /** The rows that the job of the quickstart copied with this program. */
  readonly rows: number;
}

/** Selects the parts of a verification. */
export interface Verification {
  /** Versions of Node.js, as npm understands them. */
  readonly ranges: readonly string[];
  /** The parts to run: names of `PARTS`, and patterns of paths of suites. Empty for all. */
  readonly only: readonly string[];
  /** Receives one line for each step. */
  readonly log: (line: string) => void;
  /** Ends the verification, and everything that it has started. */
  readonly signal: AbortSignal;
}

/** The results of a verification. */
export interface Verified {
  readonly programs: readonly VerifiedProgram[];
  /** A row for each step and each suite. */
  readonly steps: readonly StepRow[];
}

/** The parts of a verification that are not suites. */
export const PARTS = ['files', 'node'] as const;

/**
 * Verifies a release: its checksums, that a second run gives the same bytes, and that the programs install and
 * complete the job of the quickstart with each version of Node.js. Then it runs the suites that `npm test` leaves out.
 * A part that fails does not end the others.
 * @throws Error if the signal aborts
 */
export async function verifyRelease(
  root: string,
  release: Release,
  { ranges, only, log, signal }: Verification,
): Promise<Verified> {
  const steps = new Steps((row) => log(describeStep(row)), signal);
  const programs: VerifiedProgram[] = [];
  const suites: StepRow[] = [];
  const runs = (part: (typeof PARTS)[number]) => only.length === 0 || only.includes(part);
  const patterns = only.filter((name) => !PARTS.some((part) => part === name));
  const folder = mkdtempSync(join(tmpdir(), 'understudy-verify-'));
  try {
    if (runs('files')) {
      await steps.check('the files have the checksums of SHA256SUMS', async () => {
        await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release.folder });
      });
      await steps.check('a second packing gives the same bytes', async () => {
        const again = await packRelease(root, join(folder, 'again'));
        if (JSON.stringify(again.files) !== JSON.stringify(release.files))
          throw new Error('expected the same bytes from two runs; compare the two SHA256SUMS');
      });
    }
    for (const [index, range] of (runs('node') ? ranges : []).entries())
      await steps.group(async () => {
        programs.push(...(await verifyWithNode(root, release, range, join(folder, `node-${index}`), steps)));
      });
    if (only.length === 0 || patterns.length > 0)
      await steps.check('the suites that npm test leaves out have results', async () => {
        suites.push(...(await runReleaseSuites(root, patterns, join(folder, 'suites.json'), log, signal)));
      });
    signal.throwIfAborted();
    return { programs, steps: [...steps.rows, ...suites] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the programs with a version of Node.js, and runs the job of the quickstart with them. */
async function verifyWithNode(
  root: string,
  { folder: release, version }: Release,
  range: string,
  prefix: string,
  steps: Steps,
): Promise<VerifiedProgram[]> {
  const title = `Node.js ${range}`;
  const node = await steps.need(`${title}: is there`, () => provideNode(range, join(root, '.nx/node')));
  const installed: InstalledProgram[] = [];
  for (const program of PROGRAMS)
    await steps.need(`${title}: installs ${program.name}`, async () => {
      const one = await installProgram({ program, release, version }, node, prefix);
      const printed = (await run(one.command, ['--version'], { env: withNode(node) })).trim();
      if (printed !== version)
        throw new Error(`${one.command} --version: expected ${version}, got ${printed}`);
      installed.push(one);
    });
  const cli = installed.find(({ program }) => program.folder === 'apps/cli');
  if (cli === undefined) throw new Error('expected the command line among the programs');
  const rows = await steps.need(`${title}: copies the shop`, () =>
    runMaskedJobs(programFiles(installed, node), { command: cli.command, folder: prefix }),
  );
  return installed.map(({ program, seconds, size }) => ({
    package: program.name,
    node: node.version,
    install_seconds: Math.round(seconds * 10) / 10,
    size,
    rows,
  }));
}

/** Returns the programs as lines of a table, then all steps and suites, and their numbers. */
export function describeVerification({ programs, steps }: Verified): readonly string[] {
  const failed = steps.filter(({ result }) => result === 'failed').length;
  return [
    ...(programs.length === 0 ? [] : describePrograms(programs)),
    ...steps.map(describeStep),
    `${steps.length} steps and suites, ${failed} failed`,
  ];
}

function describePrograms(rows: readonly VerifiedProgram[]): readonly string[] {
  const cells = rows.map((row) => [
    row.package,
    row.node,
    `${row.install_seconds.toFixed(1)} s`,
    `${(row.size / 1e6).toFixed(1)} MB`,
    `${row.rows} rows`,
  ]);
  return inColumns([['package', 'Node.js', 'install', 'size', 'job completed'], ...cells]);
}
