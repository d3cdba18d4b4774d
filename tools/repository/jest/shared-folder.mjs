import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '../../../libs/local-system/dist/processes/clean-up-on-exit.js';

/** The file system in memory that every Linux distribution mounts. */
const MEMORY = '/dev/shm';
/** The free memory in bytes with which a run keeps the data of its services in memory. Four large suites need 5% of it. */
const MIN_FREE = 4 * 2 ** 30;

/**
 * Creates a folder that all suites of a run share, and passes its path in UNDERSTUDY_TEST_SHARED. The services of the
 * suites keep their data there. The folder is deleted when the run ends.
 */
export default function shareFolder() {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'understudy-run-'));
  chmodSync(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  writeFileSync(join(folder, 'password'), randomBytes(12).toString('hex'), { mode: 0o600 });
  process.env.UNDERSTUDY_TEST_SHARED = folder;
  cleanUpOnExit([], [folder]);
}

/** Each suite copies a thousand files for PostgreSQL and deletes them. In memory, this takes a tenth of the time. */
function hasMemory() {
  if (process.platform !== 'linux') return false;
  if (!/^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync('/proc/mounts', 'utf8'))) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  const limit = process.constrainedMemory() || Infinity;
  return Math.min(bavail * bsize, freemem(), limit) >= MIN_FREE;
}
