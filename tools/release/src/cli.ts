#!/usr/bin/env node
import { join, resolve } from 'node:path';

import { Command } from 'commander';

import { packRelease, type Release } from './pack-release.js';
import { run } from './run-program.js';

const ROOT = join(import.meta.dirname, '../../..');

interface Options {
  readonly out: string;
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
  .option('--json', 'print one JSON object {folder, version, files: [{name, sha256, size}]}')
  .addHelpText(
    'after',
    '\nExample:\n  npm run release -- --out /tmp/understudy\n\nExit codes: 0 done, 1 failed, 2 unknown option or invalid value.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(release);

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function release({ out, json }: Options): Promise<void> {
  const changes = await run('git', ['status', '--porcelain'], { cwd: ROOT });
  if (changes !== '')
    process.stderr.write(
      'warning: the checkout has changes that are not committed, and the release contains them\n',
    );
  const made = await packRelease(ROOT, resolve(process.env['INIT_CWD'] ?? '.', out));
  process.stdout.write(json ? `${JSON.stringify(made)}\n` : describe(made));
}

function describe({ folder, version, files }: Release): string {
  const lines = files.map(({ name, size }) => `  ${(size / 1e6).toFixed(2).padStart(6)} MB  ${name}\n`);
  return `Understudy ${version} in ${folder}:\n${lines.join('')}Check them with: sha256sum --check SHA256SUMS\n`;
}
