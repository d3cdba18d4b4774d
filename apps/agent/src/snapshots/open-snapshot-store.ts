import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FolderBackend, SnapshotStore, type StorageBackend } from '@understudy/snapshot-store';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import type { SnapshotBucketSettings } from '../config/snapshot-store-settings.js';
import { AgentSnapshotStore } from './agent-snapshot-store.js';
import { readSnapshotKeys } from './snapshot-keys.js';

/** @throws ConfigurationError */
export async function openSnapshotStore({
  stateDir,
  snapshots,
}: Pick<AgentConfiguration, 'stateDir' | 'snapshots'>): Promise<AgentSnapshotStore> {
  const keys = await readSnapshotKeys(stateDir, snapshots.keyFile);
  const [key, ...olderKeys] = keys;
  const { backend, words } = await (snapshots.bucket === undefined
    ? openFolder(stateDir, snapshots.folder)
    : openBucket(snapshots.bucket));
  return new AgentSnapshotStore(new SnapshotStore(backend, { key, olderKeys }), keys, words);
}

interface OpenedBackend {
  readonly backend: StorageBackend;
  /** Where it is, the same for all agents that share it. */
  readonly words: string;
}

async function openFolder(stateDir: string, named: string | undefined): Promise<OpenedBackend> {
  const folder = named ?? join(stateDir, 'snapshots');
  // One that the customer names may be where nothing is mounted now: it is not made.
  if (named === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  return { backend: new FolderBackend(folder), words: `folder\n${await markOf(folder)}` };
}

async function openBucket({
  name,
  region,
  endpoint,
  prefix,
}: SnapshotBucketSettings): Promise<OpenedBackend> {
  // Who keeps snapshots in a folder does not load the AWS SDK.
  const { BucketBackend } = await import('@understudy/snapshot-store/bucket');
  const backend = new BucketBackend({
    ...{ bucket: name, region, prefix },
    // Most servers that are not Amazon's want the bucket in the path.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  return { backend, words: ['bucket', endpoint ?? '', name, prefix].join('\n') };
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
