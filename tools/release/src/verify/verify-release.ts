import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packRelease, type Release } from '../pack-release.js';
import { PROGRAMS } from '../staging/stage-program.js';
import { run } from '../run-program.js';
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

/**
 * Verifies a release: its checksums, that a second run gives the same bytes, and that the programs install and
 * complete the job of the quickstart with each version of Node.js. Then it runs the suites that `npm test` leaves out.
 * @param ranges of Node.js, as npm understands them
 * @param log receives one line for each step
 * @throws Error at the first check that fails
 */
export async function verifyRelease(
  root: string,
  release: Release,
  ranges: readonly string[],
  log: (line: string) => void,
): Promise<readonly VerifiedProgram[]> {
  await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release.folder });
  const folder = mkdtempSync(join(tmpdir(), 'understudy-verify-'));
  try {
    log('packing again, to compare the bytes');
    const again = await packRelease(root, join(folder, 'again'));
    if (JSON.stringify(again.files) !== JSON.stringify(release.files))
      throw new Error('expected the same bytes from two runs; compare the two SHA256SUMS');
    const rows: VerifiedProgram[] = [];
    for (const range of ranges)
      rows.push(...(await verifyWithNode(root, release, range, join(folder, `node-${rows.length}`), log)));
    log('running the suites that only a release needs');
    await runReleaseSuites(root, log);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyWithNode(
  root: string,
  { folder: release, version }: Release,
  range: string,
  prefix: string,
  log: (line: string) => void,
): Promise<VerifiedProgram[]> {
  const node = await provideNode(range, join(root, '.nx/node'));
  const installed: InstalledProgram[] = [];
  for (const program of PROGRAMS) {
    log(`installing ${program.name} with Node.js ${node.version}`);
    const one = await installProgram({ program, release, version }, node, prefix);
    const printed = (await run(one.command, ['--version'], { env: withNode(node) })).trim();
    if (printed !== version) throw new Error(`${one.command} --version: expected ${version}, got ${printed}`);
    installed.push(one);
    log(`installed ${(one.size / 1e6).toFixed(1)} MB in ${one.seconds.toFixed(1)} s`);
  }
  const cli = installed.find(({ program }) => program.folder === 'apps/cli');
  if (cli === undefined) throw new Error('expected the command line among the programs');
  log(`copying the shop with Node.js ${node.version}`);
  const rows = await runMaskedJobs(programFiles(installed, node), {
    command: cli.command,
    folder: prefix,
  });
  log(`copied ${rows} rows`);
  return installed.map(({ program, seconds, size }) => ({
    package: program.name,
    node: node.version,
    install_seconds: Math.round(seconds * 10) / 10,
    size,
    rows,
  }));
}

/** Returns the results as lines of a table. */
export function describeVerification(rows: readonly VerifiedProgram[]): readonly string[] {
  const cells = rows.map((row) => [
    row.package,
    row.node,
    `${row.install_seconds.toFixed(1)} s`,
    `${(row.size / 1e6).toFixed(1)} MB`,
    `${row.rows} rows`,
  ]);
  const lines = [['package', 'Node.js', 'install', 'size', 'job completed'], ...cells];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
