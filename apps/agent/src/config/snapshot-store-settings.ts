import { isLoopback } from '@understudy/postgres';

import { absolutePath, type Environment } from './environment.js';

/** Where snapshots are kept, and under which key; all absent: in the state folder, under a key that is made there. */
export interface SnapshotStoreSettings {
  /** Absolute. */
  readonly folder?: string;
  readonly bucket?: SnapshotBucketSettings;
  /** Absolute. Holds the key, and on further lines older ones. */
  readonly keyFile?: string;
  /** Absolute. Holds rows while a snapshot is made or restored, not encrypted; absent: in the state folder. */
  readonly workFolder?: string;
}

/** An S3 bucket; credentials come to the AWS SDK as they always do. */
export interface SnapshotBucketSettings {
  readonly name: string;
  readonly region: string;
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  /** Folders that each end in a slash; may be empty. */
  readonly prefix: string;
}

/** @param problems gets a line for every invalid variable */
export function readSnapshotStoreSettings(env: Environment, problems: string[]): SnapshotStoreSettings {
  const folder = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_DIR', problems);
  const keyFile = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE', problems);
  const workFolder = absolutePath(env, 'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR', problems);
  const bucket = readBucket(env, problems);
  if (folder !== undefined && bucket !== undefined)
    problems.push('UNDERSTUDY_AGENT_SNAPSHOT_DIR and UNDERSTUDY_AGENT_SNAPSHOT_BUCKET: set one of them');
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
    problems.push('UNDERSTUDY_AGENT_SNAPSHOT_BUCKET must be the name of a bucket');
  const endpoint = env['UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT'] || undefined;
  if (endpoint !== undefined) checkEndpoint(endpoint, problems);
  const folders = (env['UNDERSTUDY_AGENT_SNAPSHOT_PREFIX'] ?? '').replace(/^\/+|\/+$/g, '');
  const prefix = folders === '' ? '' : `${folders}/`;
  if (!/^([A-Za-z0-9][A-Za-z0-9._=-]*\/)*$/.test(prefix) || prefix.length > 512)
    problems.push(
      'UNDERSTUDY_AGENT_SNAPSHOT_PREFIX must be folders of letters, digits, dots, dashes, underscores and =',
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
