import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { SnapshotStoreError } from '@understudy/snapshot-store';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import { ConfigurationError } from '../../../config/environment.js';
import { openBucket } from '../../../snapshots/open-snapshot-store.js';
import { readSnapshotKeys } from '../../../snapshots/snapshot-keys.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

/** Checks the configured place of snapshots, the folder for their work and the file of their key. */
export async function checkSnapshotStore(
  report: CheckReport,
  { stateDir, snapshots: { folder, bucket, workFolder, keyFile } }: AgentConfiguration,
): Promise<void> {
  if (folder !== undefined)
    await checkFolder(report, 'snapshot store', folder, 'UNDERSTUDY_AGENT_SNAPSHOT_DIR');
  if (bucket !== undefined)
    await report.step('snapshot store', async (signal) => {
      const { backend } = await openBucket(bucket);
      try {
        await backend.listArchiveIds(undefined, signal)[Symbol.asyncIterator]().next();
      } catch (error) {
        throw error instanceof SnapshotStoreError ? bucketFailure(error, bucket.name) : error;
      }
      return { facts: `the bucket ${bucket.name} can be listed; writing was not tried`, value: undefined };
    });
  if (folder === undefined && bucket === undefined)
    report.skip('snapshot store', 'not configured; the agent keeps snapshots in the state folder');
  if (workFolder !== undefined)
    await checkFolder(report, 'snapshot work folder', workFolder, 'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR');
  if (keyFile !== undefined)
    await report.step('snapshot key', async () => {
      const keys = await readSnapshotKeys(stateDir, keyFile).catch((error: unknown) => {
        if (!(error instanceof ConfigurationError)) throw error;
        throw new CheckFailure(error.problems.join('; '), 'without its key, a snapshot cannot be restored');
      });
      return { facts: `${keys.length} valid keys`, value: undefined };
    });
}

/** Creates and removes an empty folder, because permissions do not prove that the file system can be written to. */
async function checkFolder(
  report: CheckReport,
  step: string,
  folder: string,
  variable: string,
): Promise<void> {
  await report.step(step, async () => {
    try {
      await rm(await mkdtemp(join(folder, '.check-')), { recursive: true });
    } catch (error) {
      const { code = 'unknown reason' } = error as { code?: string };
      throw new CheckFailure(
        `the folder in ${variable} is missing or cannot be written to (${code})`,
        'create it for the user of the agent, or mount its file system',
      );
    }
    return { facts: 'the folder can be written to', value: undefined };
  });
}

function bucketFailure({ code, details }: SnapshotStoreError, name: string): CheckFailure {
  return new CheckFailure(
    `the bucket ${name} cannot be listed (${details.reason ?? code})`,
    BUCKET_REMEDIES[code] ?? 'check UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT and the network of this machine',
  );
}

const BUCKET_REMEDIES: Readonly<Record<string, string>> = {
  store_denied: 'check the credentials of the AWS SDK, and that they may list, read and write the bucket',
  store_missing: 'create the bucket, or correct UNDERSTUDY_AGENT_SNAPSHOT_BUCKET and its region',
};
