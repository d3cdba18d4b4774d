import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { SnapshotEnvironment } from '@understudy/snapshot-engine';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';

export type SnapshotFolders = Pick<SnapshotEnvironment, 'workFolder' | 'recordsFolder'>;

/**
 * Prepares the folders that snapshots and restores use while they run. Does not create a work folder that the customer
 * has configured, because its file system may not be mounted.
 * @throws ConfigurationError if the configured work folder is missing or not writable
 */
export async function prepareSnapshotFolders({
  stateDir,
  snapshots: { workFolder },
}: Pick<AgentConfiguration, 'stateDir' | 'snapshots'>): Promise<SnapshotFolders> {
  const recordsFolder = join(stateDir, 'snapshot-work');
  await mkdir(recordsFolder, { recursive: true, mode: 0o700 });
  if (workFolder === undefined) return { workFolder: recordsFolder, recordsFolder };
  try {
    await rm(await mkdtemp(join(workFolder, 'probe.')), { recursive: true });
  } catch (error) {
    const { code = 'unknown reason' } = error as { code?: string };
    throw new ConfigurationError('The agent cannot work on snapshots', [
      `UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR: the folder is not there or cannot be written to (${code})`,
    ]);
  }
  return { workFolder, recordsFolder };
}
