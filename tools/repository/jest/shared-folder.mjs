import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '../../stack/dist/processes/clean-up-on-exit.js';

/** A folder for all suites of a run, told to their processes; it goes with the run, however that ends. */
export default function shareFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-run-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user when the tests run as root
  writeFileSync(join(folder, 'password'), randomBytes(12).toString('hex'), { mode: 0o600 });
  process.env.UNDERSTUDY_TEST_SHARED = folder;
  cleanUpOnExit([], [folder]);
}
