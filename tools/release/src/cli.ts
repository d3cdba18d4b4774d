#!/usr/bin/env node
import { join, resolve } from 'node:path';

import { Command } from 'commander';

import { packRelease, type Release } from './pack-release.js';
import { run } from './run-program.js';
import { NODE_RANGES } from './verify/node-versions.js';
import { describeVerification, verifyRelease } from './verify/verify-release.js';

const ROOT = join(import.meta.dirname, '../../..');

interface Options {
  readonly out: string;
  readonly verify?: true;
  readonly node: readonly string[];
  readonly json?: true;
}

const command = new Command('release')
  .description(
    'Makes the files that users install: npm packages with checksums, bills of materials and licences.',
  )
  .option(
    '--out <folder>',
    'folder for the files; an earlier release in it is replaced',
    join(ROOT, 'release'),
  )
  .option(
    '--verify',
    'also install the packages and run the job of the quickstart, with several versions of Node.js',
  )
  .option('--node <range...>', 'versions of Node.js for --verify; the newest of each range is used', [
    ...NODE_RANGES,
  ])
  .option(
    '--json',
    'print one JSON object {folder, version, files: [{name, sha256, size}], verified: [{package, node, install_seconds, size, rows}]}',
  )
  .addHelpText(
    'after',
    '\nExamples:\n  npm run release -- --out /tmp/understudy\n  npm run release -- --verify --node 24\n\n' +
      '--verify needs npm and its registry for Node.js, and the services that "npm run stack -- ensure" installs.\n\n' +
      'Exit codes: 0 done, 1 failed, 2 unknown option or invalid value.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(release);

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function release({ out, verify, node, json }: Options): Promise<void> {
  const changes = await run('git', ['status', '--porcelain'], { cwd: ROOT });
  if (changes !== '')
    log('warning: the checkout has changes that are not committed, and the release contains them');
  const made = await packRelease(ROOT, resolve(process.env['INIT_CWD'] ?? '.', out));
  if (!json) print(describe(made));
  const verified = verify && (await verifyRelease(ROOT, made, node, log));
  if (json) print([JSON.stringify({ ...made, ...(verified && { verified }) })]);
  else if (verified) print(describeVerification(verified));
}

function describe({ folder, version, files }: Release): readonly string[] {
  return [
    `Understudy ${version} in ${folder}:`,
    ...files.map(({ name, size }) => `  ${(size / 1e6).toFixed(2).padStart(6)} MB  ${name}`),
    'Check them with: sha256sum --check SHA256SUMS',
  ];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
