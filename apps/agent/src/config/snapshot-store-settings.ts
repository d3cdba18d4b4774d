import { type EnvironmentReader, readerOf } from '@understudy/operator-commands';

import { VARIABLES } from './variables.js';

/**
 * Reads the storage backend and the key of snapshots. Without a folder and a bucket, the agent keeps the snapshots in
 * the state folder, and without a key file, it creates the key there.
 */
export function readSnapshotStoreSettings(reader: EnvironmentReader) {
  const read = readerOf(reader);
  const settings = {
    folder: read(VARIABLES.snapshotDir),
    /** The first line of the file is the key; further lines are older keys. */
    keyFile: read(VARIABLES.snapshotKeyFile),
    /** Holds unencrypted rows while a snapshot is created or restored. */
    workFolder: read(VARIABLES.snapshotWorkDir),
    bucket: readBucket(reader),
  };
  if (settings.folder !== undefined && settings.bucket !== undefined)
    reader.problem(
      'UNDERSTUDY_AGENT_SNAPSHOT_DIR and UNDERSTUDY_AGENT_SNAPSHOT_BUCKET: set only one of them',
      undefined,
    );
  return settings as Partial<typeof settings>;
}

/** Returns the settings of an S3 bucket. The AWS SDK reads the credentials from its default sources. */
function readBucket(reader: EnvironmentReader) {
  if (!reader.environment[VARIABLES.snapshotBucket.name]) return undefined;
  const read = readerOf(reader);
  const name = read(VARIABLES.snapshotBucket);
  const endpoint = read(VARIABLES.snapshotEndpoint);
  const prefix = read(VARIABLES.snapshotPrefix);
  const region = read(VARIABLES.snapshotRegion);
  return { name, region, prefix, ...(endpoint === undefined ? {} : { endpoint }) };
}

export type SnapshotBucketSettings = NonNullable<ReturnType<typeof readBucket>>;
