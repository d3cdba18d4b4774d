import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';

import {
  type DescribedVariable,
  type Form,
  integer,
  LOG_LEVELS,
  megabytes,
  oneOf,
  seconds,
  variable,
} from '@understudy/operator-commands';
import { outboundVariables } from '@understudy/outbound';
import { isLoopback } from '@understudy/postgres';
import { defaultMaskingThreads } from '@understudy/sync-engine';
import { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS } from '@understudy/sync-job';

import { POLICY_FILE, STATE_DIR } from './environment.js';

const MB = 1_000_000;
const MAX_CONNECTIONS = 16;
const MAX_MASKING_THREADS = 16;

/** An https URL, or an http URL on loopback. The value has no trailing slash. */
const controlUrl: Form<string> = {
  fallback: 'required',
  read: (reader, name) => {
    const value = reader.text(name);
    if (value === '') return value; // already reported
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
      return reader.problem(`${name} must be an https:// URL`, '');
    const url = new URL(value);
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      reader.problem(`${name} must be https://: plain http is accepted on loopback only`, '');
    if (url.username !== '' || url.password !== '')
      reader.problem(`${name} must not contain credentials`, '');
    return value.replace(/\/+$/, '');
  },
};

/** A missing file is no problem: an agent that has enrolled does not need the token. */
const enrolmentToken: Form<string | undefined> = {
  fallback: 'none',
  read: (reader, name) => reader.optionalSecret(name, { mayBeMissing: true }),
};

/** A text that matches a pattern. The default is not checked. */
const matching = (
  pattern: RegExp,
  expected: string,
  fallback: string,
  shown = `\`${fallback}\``,
): Form<string> => ({
  fallback: shown,
  read: (reader, name) => {
    const value = reader.text(name, fallback);
    if (value === fallback || pattern.test(value)) return value;
    return reader.problem(`${name} must be ${expected}`, fallback);
  },
});

const labels: Form<readonly string[]> = {
  fallback: 'none',
  read: (reader, name) => {
    const entries = reader.text(name, '').split(',');
    const found = [...new Set(entries.map((label) => label.trim()))].filter((label) => label !== '');
    if (found.length <= MAX_AGENT_LABELS && found.every((label) => AGENT_LABEL.test(label))) return found;
    return reader.problem(
      `${name} must be at most ${MAX_AGENT_LABELS} comma-separated labels of 1 to 63 letters, digits, dots, dashes, underscores or equals signs`,
      found,
    );
  },
};

const absolutePath = (shown: string): Form<string | undefined> => ({
  fallback: shown,
  read: (reader, name) => {
    const path = reader.text(name, '') || undefined;
    if (path === undefined || isAbsolute(path)) return path;
    return reader.problem(`${name} must be an absolute path`, path);
  },
});

/** Names of nested folders. The value ends with a slash, or is empty for the root of the bucket. */
const prefix: Form<string> = {
  fallback: 'none',
  read: (reader, name) => {
    const folders = reader.text(name, '').replace(/^\/+|\/+$/g, '');
    const value = folders === '' ? '' : `${folders}/`;
    if (/^([A-Za-z0-9][A-Za-z0-9._=-]*\/)*$/.test(value) && value.length <= 512) return value;
    return reader.problem(
      `${name} must be a path of folders whose names start with a letter or digit and continue with letters, digits, dots, dashes, underscores or =`,
      '',
    );
  },
};

const endpoint: Form<string | undefined> = {
  fallback: "Amazon's",
  read: (reader, name) => {
    const value = reader.text(name, '') || undefined;
    const url = value !== undefined && URL.canParse(value) ? new URL(value) : undefined;
    if (value === undefined || url?.protocol === 'https:') return value;
    if (url?.protocol === 'http:' && isLoopback(url.hostname)) return value;
    return reader.problem(
      `${name} must be an https:// URL: plain http is accepted on loopback only`,
      undefined,
    );
  },
};

const flag: Form<boolean> = {
  fallback: '`false`',
  read: (reader, name) => {
    const value = reader.text(name, 'false');
    if (value === 'true' || value === 'false') return value === 'true';
    return reader.problem(`${name} must be true or false`, false);
  },
};

const region: Form<string> = {
  fallback: '`AWS_REGION`, or else `us-east-1`',
  read: (reader, name) => reader.text(name, reader.environment['AWS_REGION'] || 'us-east-1'),
};

/** Every variable that the configuration reads, grouped by subject. A test checks that none is missing. */
export const VARIABLES = {
  controlUrl: variable(
    'UNDERSTUDY_CONTROL_URL',
    controlUrl,
    'the API with `/v1`; `https://`, or `http://` on loopback',
  ),
  stateDir: STATE_DIR,
  policyFile: POLICY_FILE,
  enrolmentToken: variable(
    'UNDERSTUDY_AGENT_ENROLMENT_TOKEN',
    enrolmentToken,
    'token for the first start, until the agent has an identity',
  ),
  enrolmentTokenFile: {
    name: 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE',
    fallback: 'none',
    meaning:
      'file with this token, instead of the variable; other users must not be able to read the file. It may be missing after the first start',
  },
  ...outboundVariables('the control plane, NATS', '`https://` and `wss://`'),
  name: variable(
    'UNDERSTUDY_AGENT_NAME',
    matching(
      /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/,
      '1 to 63 letters, digits, spaces, dots, dashes or underscores',
      'agent',
    ),
    'name in lists, 1 to 63 characters',
  ),
  labels: variable(
    'UNDERSTUDY_AGENT_LABELS',
    labels,
    'labels by which jobs select agents, at most 16, separated by commas',
  ),
  maskingKeyFile: variable(
    'UNDERSTUDY_AGENT_MASKING_KEY_FILE',
    absolutePath('a random key'),
    'masking key that several agents share: a file with 64 hexadecimal digits',
  ),
  pgBinDir: variable(
    'UNDERSTUDY_AGENT_PG_BIN_DIR',
    absolutePath('found through PATH, or else the newest version installed'),
    'folder of `pg_dump` and `pg_restore`',
  ),
  maxJobs: variable(
    'UNDERSTUDY_AGENT_MAX_JOBS',
    integer(1, MAX_AGENT_SLOTS, 1),
    'jobs that run at the same time',
  ),
  connections: variable(
    'UNDERSTUDY_AGENT_CONNECTIONS',
    integer(1, MAX_CONNECTIONS, Math.min(availableParallelism(), MAX_CONNECTIONS), 'number of CPU cores'),
    'connections of one job to each database, 1 to 16',
  ),
  maskingThreads: variable(
    'UNDERSTUDY_AGENT_MASKING_THREADS',
    integer(
      0,
      MAX_MASKING_THREADS,
      defaultMaskingThreads(availableParallelism()),
      'number of CPU cores minus 2, at most 4',
    ),
    'worker threads of one job that mask rows of large tables, 0 to 16',
  ),
  chunkBytes: variable(
    'UNDERSTUDY_AGENT_CHUNK_MB',
    megabytes(1, 100_000, 64 * MB),
    'approximate size on disk of a chunk, the part of a table that is copied as one unit',
  ),
  lockWaitMs: variable(
    'UNDERSTUDY_AGENT_LOCK_WAIT_SECONDS',
    seconds(0, 86_400, 600_000),
    'total time for which a job retries locks on target tables, 0 to 86,400',
  ),
  journalMaxBytes: variable(
    'UNDERSTUDY_AGENT_JOURNAL_MAX_MB',
    megabytes(1, 100_000, 64 * MB),
    'size of the journal above which the oldest acknowledged events are deleted',
  ),
  minFreeDiskBytes: variable(
    'UNDERSTUDY_AGENT_MIN_FREE_DISK_MB',
    megabytes(0, 1_000_000, 100 * MB),
    'free space for the journal below which the agent takes no work; 0 turns this off',
  ),
  modelCacheMaxBytes: variable(
    'UNDERSTUDY_AGENT_MODEL_CACHE_MAX_MB',
    megabytes(1, 100_000, 512 * MB),
    'size of downloaded models that are kept after a job',
  ),
  snapshotDir: variable(
    'UNDERSTUDY_AGENT_SNAPSHOT_DIR',
    absolutePath('`snapshots` in the state folder'),
    'folder that keeps snapshots; it must exist',
  ),
  snapshotWorkDir: variable(
    'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR',
    absolutePath('`snapshot-work` in the state folder'),
    'folder for unencrypted rows while a snapshot is made or restored; it must exist, and no other agent may use it',
  ),
  snapshotBucket: variable(
    'UNDERSTUDY_AGENT_SNAPSHOT_BUCKET',
    matching(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      '3 to 63 lower-case letters, digits, dots or dashes, with a letter or digit at both ends',
      '',
      'none',
    ),
    'S3 bucket that keeps snapshots instead of a folder',
  ),
  snapshotRegion: variable('UNDERSTUDY_AGENT_SNAPSHOT_REGION', region, 'region of the bucket'),
  snapshotPrefix: variable('UNDERSTUDY_AGENT_SNAPSHOT_PREFIX', prefix, 'folder in the bucket'),
  snapshotEndpoint: variable('UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT', endpoint, 'address of another S3 server'),
  snapshotKeyFile: variable(
    'UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE',
    absolutePath('`snapshot.key` in the state folder'),
    'file with the key of the snapshots; further lines hold older keys. Without its key, a snapshot cannot be restored',
  ),
  logsRowValues: variable(
    'UNDERSTUDY_AGENT_LOG_ROW_VALUES',
    flag,
    '`true` logs messages of PostgreSQL in full, although they may quote rows',
  ),
  logLevel: variable(
    'UNDERSTUDY_LOG_LEVEL',
    oneOf(LOG_LEVELS, 'info'),
    LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
  ),
} satisfies Readonly<Record<string, DescribedVariable>>;
