import { isLoopback } from '@understudy/postgres';

import { absolutePath, type Environment } from './environment.js';

/**
 * The storage backend and the key of snapshots. If all fields are absent, the agent keeps the snapshots in the state
 * folder and creates the key there.
 */
export interface SnapshotStoreSettings {
  /** Absolute path. */
  readonly folder?: string;
  readonly bucket?: SnapshotBucketSettings;
  /** Absolute path. The first line of the file is the key; further lines are older keys. */
  readonly keyFile?: string;
  /**
   * Absolute path of a folder that holds unencrypted rows while a snapshot is created or restored. If absent, a folder
   * in the state folder is used.
   */
  readonly workFolder?: string;
}

/** The settings of an S3 bucket. The AWS SDK reads the credentials from its default sources. */
export interface SnapshotBucketSettings {
  readonly name: string;
  readonly region: string;
  /** URL of the S3 service. If absent, Amazon's service is used. */
  readonly endpoint?: string;
  /** Names of nested folders in the bucket, each followed by a slash. Empty for the root of the bucket. */
  readonly prefix: string;
}

/** Reads the settings. Adds a line to `problems` for each invalid variable. */
export function readSnapshotStoreSettings(env: Environment, problems: string[]): SnapshotStoreSettings {
  const folder = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_DIR', problems);
  const keyFile = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE', problems);
  const workFolder = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR', problems);
  const bucket = readBucket(env, problems);
  if (folder !== undefined && bucket !== undefined)
    problems.push('UNDERSTUDY_AGENT_SNAPSHOT_DIR and UNDERSTUDY_AGENT_SNAPSHOT_BUCKET: set only one of them');
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(workFolder === undefined ? {} : { workFolder }),
  };
}

function readBucket(env: Environment, problems: string[]): SnapshotBucketSettings | undefined {
  const name = env['UNDERSTUDY_AGENT_SNAPSHOT_BUCKET'] || undefined;
  if (name === undefined) return undefined;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name))
    problems.push(
      'UNDERSTUDY_AGENT_SNAPSHOT_BUCKET must be 3 to 63 lower-case letters, digits, dots or dashes, with a letter or digit at both ends',
    );
  const endpoint = env['UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT'] || undefined;
  if (endpoint !== undefined) checkEndpoint(endpoint, problems);
  const folders = (env['UNDERSTUDY_AGENT_SNAPSHOT_PREFIX'] ?? '').replace(/^\/+|\/+$/g, '');
  const prefix = folders === '' ? '' : `${folders}/`;
  if (!/^([A-Za-z0-9][A-Za-z0-9._=-]*\/)*$/.test(prefix) || prefix.length > 512)
    problems.push(
      'UNDERSTUDY_AGENT_SNAPSHOT_PREFIX must be a path of folders whose names start with a letter or digit and continue with letters, digits, dots, dashes, underscores or =',
    );
  const region = env['UNDERSTUDY_AGENT_SNAPSHOT_REGION'] || env['AWS_REGION'] || 'us-east-1';
  return { name, region, prefix, ...(endpoint === undefined ? {} : { endpoint }) };
}

function checkEndpoint(text: string, problems: string[]): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return;
  problems.push(
    'UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT must be an https:// URL: plain http is accepted on loopback only',
  );
}
