import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '../run-program.js';
import { runMaskedJobs } from '../verify/masked-job.js';
import { imageName, IMAGES, type ImageName } from './build-images.js';

/**
 * Starts the images as the docs describe, on the services of a test system, and runs the job of the quickstart. The
 * root file systems are read-only, and the programs have no capabilities.
 * @returns the rows that the job has copied
 * @throws Error if a container does not start, or the job fails
 */
export async function runImages(version: string, log: (line: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-images-'));
  const label = `understudy.verification=${process.pid}`;
  try {
    for (const name of IMAGES) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'run'), script(name, version, label));
    }
    log('starting the images, and copying the shop');
    return await runMaskedJobs({ node: '/bin/sh', command: (name) => join(folder, name, 'run') });
  } finally {
    // A container outlives the program that was killed.
    const left = (await run('podman', ['ps', '--all', '--quiet', '--filter', `label=${label}`])).split('\n');
    for (const id of left.filter((line) => line !== '')) await run('podman', ['rm', '--force', id]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a script that runs a command of the program in a container, with the variables of Understudy. The agent gets
 * the folder of its files, and uses the image's pg_dump.
 */
function script(name: ImageName, version: string, label: string): string {
  return [
    '#!/bin/sh',
    'set -eu',
    `set -- ${imageName(name, version)} "$@"`,
    'unset UNDERSTUDY_AGENT_PG_BIN_DIR',
    `for name in $(env | sed -n 's/^\\(UNDERSTUDY_[A-Z_]*\\)=.*/\\1/p'); do set -- --env "$name" "$@"; done`,
    'if [ "${UNDERSTUDY_AGENT_STATE_DIR-}" != "" ]; then',
    '  folder=$(dirname "$UNDERSTUDY_AGENT_STATE_DIR")',
    '  chown -R 65532:65532 "$folder"',
    '  set -- --volume "$folder:$folder" "$@"',
    'fi',
    'set -- --read-only --cap-drop all --security-opt no-new-privileges "$@"',
    `exec podman run --rm --network host --label ${label} "$@"`,
  ].join('\n');
}
