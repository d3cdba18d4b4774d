#!/usr/bin/env node
import { join, resolve } from 'node:path';

import { interruptible } from '@understudy/local-system';
import { Command, InvalidArgumentError } from 'commander';

import { buildImages } from './images/build-images.js';
import { runImages } from './images/run-images.js';
import { packRelease, type Release } from './pack-release.js';
import { run } from './run-program.js';
import { NODE_RANGES } from './verify/node-versions.js';
import { unlessAborted } from './steps.js';
import { describeVerification, PARTS, verifyRelease } from './verify/verify-release.js';

const ROOT = join(import.meta.dirname, '../../..');
const BASE_IMAGE = 'docker.io/library/node:24-bookworm-slim';

interface Options {
  readonly out: string;
  readonly verify?: true;
  readonly node: readonly string[];
  readonly only?: readonly string[];
  readonly images?: true;
  readonly baseImage: string;
  readonly baseDigest?: string;
  readonly verifyImages?: true;
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
    'also install the packages and run the job of the quickstart, with several versions of Node.js, and the suites that npm test leaves out',
  )
  .option('--node <range...>', 'versions of Node.js for --verify; the newest of each range is used', [
    ...NODE_RANGES,
  ])
  .option(
    '--only <part...>',
    `parts of --verify to run: ${PARTS.join(', ')}, or a part of the path of a suite`,
  )
  .option('--images', 'also build the container images, with buildah, podman or docker; needs --base-digest')
  .option(
    '--base-image <name>',
    'base of the images, with its tag: Debian with Node.js 20.19 or newer',
    BASE_IMAGE,
  )
  .option('--base-digest <digest>', 'digest of the base, sha256:…, which you have verified', digest)
  .option('--verify-images', 'also start the images with podman, and run the job of the quickstart')
  .option(
    '--json',
    'print one JSON object {folder, version, files: [{name, sha256, size}], verified: [{package, node, install_seconds, size, rows}], steps: [{step, result, seconds, reason}], images: [name]}',
  )
  .addHelpText(
    'after',
    '\nExamples:\n  npm run release -- --out /tmp/understudy\n  npm run release -- --verify --node 24\n  npm run release -- --verify --only node tools/faults\n  npm run release -- --images --base-digest sha256:…\n\n' +
      '--verify needs npm and its registry for Node.js, and the services that "npm run stack -- ensure" installs.\n\n' +
      'Progress goes to stderr. A step or suite that fails does not end the others.\n\n' +
      'Exit codes: 0 done, 1 failed, 2 unknown option or invalid value, 130 interrupted.',
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action((options: Options) => interruptible((signal) => unlessAborted(signal, release(options, signal))));

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function release(options: Options, signal: AbortSignal): Promise<void> {
  const { out, verify, node, only, images, baseImage, baseDigest, verifyImages, json } = options;
  if ((images === undefined) !== (baseDigest === undefined) || (verifyImages && !images))
    command.error(
      'expected --images with the digest of the base image: --images --base-digest sha256:…; the registry of the image shows it',
      { exitCode: 2 },
    );
  if (only !== undefined && !verify) command.error('expected --verify with --only', { exitCode: 2 });
  const changes = await run('git', ['status', '--porcelain'], { cwd: ROOT });
  if (changes !== '')
    log('warning: the checkout has changes that are not committed, and the release contains them');
  const made = await packRelease(ROOT, resolve(process.env['INIT_CWD'] ?? '.', out));
  if (!json) print(describe(made));
  signal.throwIfAborted();
  const verified =
    verify && (await verifyRelease(ROOT, made, { ranges: node, only: only ?? [], log, signal }));
  if (verified?.steps.some(({ result }) => result === 'failed')) process.exitCode = 1;
  signal.throwIfAborted();
  const base = baseDigest === undefined ? undefined : { name: baseImage, digest: baseDigest };
  const built = base && (await buildImages(ROOT, made, base, log));
  const rows = verifyImages && (await runImages(made.version, log));
  if (json)
    print([
      JSON.stringify({
        ...made,
        ...(verified && { verified: verified.programs, steps: verified.steps }),
        ...(built && { images: built }),
      }),
    ]);
  else
    print([
      ...(verified ? describeVerification(verified) : []),
      ...(built ?? []).map((image) => `built ${image}`),
      ...(rows === undefined ? [] : [`The job copied ${rows} rows with these images.`]),
    ]);
}

function digest(value: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(value))
    throw new InvalidArgumentError('Expected sha256: and 64 hexadecimal digits.');
  return value;
}

function describe({ folder, version, files }: Release): readonly string[] {
  return [
    `Understudy ${version} in ${folder}:`,
    ...files.map(({ name, size }) => `  ${(size / 1e6).toFixed(2).padStart(6)} MB  ${name}`),
    `Check them with: cd ${folder} && sha256sum --check SHA256SUMS`,
  ];
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
