import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FolderBackend, SnapshotStore, type StorageBackend } from '@understudy/snapshot-store';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import type { SnapshotBucketSettings } from '../config/snapshot-store-settings.js';
import { AgentSnapshotStore } from './agent-snapshot-store.js';
import { readSnapshotKeys } from './snapshot-keys.js';

/**
 * Opens the snapshot store of the configuration.
 * @throws ConfigurationError if its folder or keys cannot be used
 */
export async function openSnapshotStore({
  stateDir,
  snapshots,
}: Pick<AgentConfiguration, 'stateDir' | 'snapshots'>): Promise<AgentSnapshotStore> {
  const keys = await readSnapshotKeys(stateDir, snapshots.keyFile);
  const [key, ...olderKeys] = keys;
  const { backend, location } = await (snapshots.bucket === undefined
    ? openFolder(stateDir, snapshots.folder)
    : openBucket(snapshots.bucket));
  return new AgentSnapshotStore(new SnapshotStore(backend, { key, olderKeys }), keys, location);
}

interface OpenedBackend {
  readonly backend: StorageBackend;
  /** Describes the location of the backend. Equal for all agents that share the backend. */
  readonly location: string;
}

async function openFolder(stateDir: string, named: string | undefined): Promise<OpenedBackend> {
  const folder = named ?? join(stateDir, 'snapshots');
  // Do not create a folder that the customer has configured: its file system may not be mounted.
  if (named === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  return { backend: new FolderBackend(folder), location: `folder\n${await storeIdOf(folder)}` };
}

/** Creates the client of a bucket without sending a request. */
export async function openBucket({
  name,
  region,
  endpoint,
  prefix,
}: SnapshotBucketSettings): Promise<OpenedBackend> {
  // Load the AWS SDK only for buckets.
  const { BucketBackend } = await import('@understudy/snapshot-store/bucket');
  const backend = new BucketBackend({
    ...{ bucket: name, region, prefix },
    // Most S3 servers other than Amazon's expect the bucket in the path.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  return { backend, location: ['bucket', endpoint ?? '', name, prefix].join('\n') };
}

/**
 * Returns the random id in the file `store-id` of the folder, and creates the file if it is missing. The id
 * distinguishes the folder from folders with the same path on other machines.
 */
async function storeIdOf(folder: string): Promise<string> {
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
