import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FolderPlace, SnapshotStore } from '@understudy/snapshot-store';

import type { AgentConfiguration } from '../config/agent-configuration.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { AgentSnapshotStore } from './agent-snapshot-store.js';
import { readSnapshotKeys } from './snapshot-keys.js';

/** @throws ConfigurationError */
export async function openSnapshotStore({
  stateDir,
  snapshots,
}: Pick<AgentConfiguration, 'stateDir' | 'snapshots'>): Promise<AgentSnapshotStore> {
  const keys = await readSnapshotKeys(stateDir, snapshots.keyFile);
  const [key, ...olderKeys] = keys;
  const folder = snapshots.folder ?? join(stateDir, 'snapshots');
  // One that the customer names may be where nothing is mounted now: it is not made.
  if (snapshots.folder === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = new SnapshotStore(new FolderPlace(folder), { key, olderKeys });
  return new AgentSnapshotStore(store, keys, `folder\n${await markOf(folder)}`);
}

/** What tells a folder from others of the same path on other machines: a random number in a file of it. */
async function markOf(folder: string): Promise<string> {
  const path = join(folder, 'store-id');
  try {
    await writeFile(path, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code = 'unknown reason' } = error as { code?: string };
    if (code !== 'EEXIST')
      throw new ConfigurationError('The agent cannot keep snapshots', [
        `UNDERSTUDY_AGENT_SNAPSHOT_DIR: the folder is not there or cannot be written to (${code})`,
      ]);
  }
  return readFile(path, 'utf8');
}
