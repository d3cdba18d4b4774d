import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '../../stack/dist/processes/clean-up-on-exit.js';

/**
 * Creates a folder that all suites of a run share, and passes its path in UNDERSTUDY_TEST_SHARED. The folder is deleted
 * when the run ends.
 */
export default function shareFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-run-'));
  chmodSync(folder, 0o711); // if the tests run as root, PostgreSQL runs as another user
  writeFileSync(join(folder, 'password'), randomBytes(12).toString('hex'), { mode: 0o600 });
  process.env.UNDERSTUDY_TEST_SHARED = folder;
  cleanUpOnExit([], [folder]);
}
