import { AGENT_DEFAULTS, LOG_LEVELS } from './agent-configuration.js';

/** An environment variable of the agent, as docs/reference/configuration.md lists it. */
export interface Variable {
  readonly name: string;
  /** The default value, or `required` if the operator must set the variable. */
  readonly fallback: string;
  readonly meaning: string;
}

/** Every variable that the configuration reads, grouped by subject. A test checks that none is missing. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'UNDERSTUDY_CONTROL_URL',
    fallback: 'required',
    meaning: 'the API with `/v1`; `https://`, or `http://` on loopback',
  },
  {
    name: 'UNDERSTUDY_AGENT_STATE_DIR',
    fallback: 'required',
    meaning: 'folder of identity, masking key, private models and journal; back it up',
  },
  { name: 'UNDERSTUDY_AGENT_POLICY_FILE', fallback: 'required', meaning: 'the policy file' },
  {
    name: 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN',
    fallback: 'none',
    meaning: 'token for the first start, until the agent has an identity',
  },
  {
    name: 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE',
    fallback: 'none',
    meaning:
      'file with this token, instead of the variable; other users must not be able to read the file. It may be missing after the first start',
  },
  {
    name: 'UNDERSTUDY_CA_FILE',
    fallback: 'none',
    meaning:
      'PEM file with certificate authorities to trust for the control plane, NATS and the proxy, in addition to those of Node.js; a change takes effect without a restart',
  },
  {
    name: 'NODE_EXTRA_CA_CERTS',
    fallback: 'none',
    meaning: 'PEM file with certificate authorities to trust for each connection; read once at the start',
  },
  {
    name: 'HTTPS_PROXY',
    fallback: 'none',
    meaning:
      'HTTP proxy for `https://` and `wss://`: `http://` or `https://`, with `user:password@` if it requires credentials',
  },
  { name: 'https_proxy', fallback: '`HTTPS_PROXY`', meaning: 'the same; precedes `HTTPS_PROXY`' },
  {
    name: 'NO_PROXY',
    fallback: 'none',
    meaning:
      'hosts to reach without the proxy, separated by commas: names with their subdomains, addresses, networks, or `*`',
  },
  { name: 'no_proxy', fallback: '`NO_PROXY`', meaning: 'the same; precedes `NO_PROXY`' },
  { name: 'UNDERSTUDY_AGENT_NAME', fallback: '`agent`', meaning: 'name in lists, 1 to 63 characters' },
  {
    name: 'UNDERSTUDY_AGENT_LABELS',
    fallback: 'none',
    meaning: 'labels by which jobs select agents, at most 16, separated by commas',
  },
  {
    name: 'UNDERSTUDY_AGENT_MASKING_KEY_FILE',
    fallback: 'a random key',
    meaning: 'masking key that several agents share: a file with 64 hexadecimal digits',
  },
  {
    name: 'UNDERSTUDY_AGENT_PG_BIN_DIR',
    fallback: 'found through PATH, or else the newest version installed',
    meaning: 'folder of `pg_dump` and `pg_restore`',
  },
  {
    name: 'UNDERSTUDY_AGENT_MAX_JOBS',
    fallback: String(AGENT_DEFAULTS.maxJobs),
    meaning: 'jobs that run at the same time',
  },
  {
    name: 'UNDERSTUDY_AGENT_CONNECTIONS',
    fallback: 'number of CPU cores',
    meaning: 'connections of one job to each database, 1 to 16',
  },
  {
    name: 'UNDERSTUDY_AGENT_MASKING_THREADS',
    fallback: 'number of CPU cores minus 2, at most 4',
    meaning: 'worker threads of one job that mask rows of large tables, 0 to 16',
  },
  {
    name: 'UNDERSTUDY_AGENT_CHUNK_MB',
    fallback: String(AGENT_DEFAULTS.chunkMb),
    meaning: 'approximate size on disk of a chunk, the part of a table that is copied as one unit',
  },
  {
    name: 'UNDERSTUDY_AGENT_LOCK_WAIT_SECONDS',
    fallback: String(AGENT_DEFAULTS.lockWaitSeconds),
    meaning: 'total time for which a job retries locks on target tables, 0 to 86,400',
  },
  {
    name: 'UNDERSTUDY_AGENT_JOURNAL_MAX_MB',
    fallback: String(AGENT_DEFAULTS.journalMb),
    meaning: 'size of the journal above which the oldest acknowledged events are deleted',
  },
  {
    name: 'UNDERSTUDY_AGENT_MIN_FREE_DISK_MB',
    fallback: String(AGENT_DEFAULTS.minFreeDiskMb),
    meaning: 'free space for the journal below which the agent takes no work; 0 turns this off',
  },
  {
    name: 'UNDERSTUDY_AGENT_MODEL_CACHE_MAX_MB',
    fallback: String(AGENT_DEFAULTS.modelCacheMb),
    meaning: 'size of downloaded models that are kept after a job',
  },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_DIR',
    fallback: '`snapshots` in the state folder',
    meaning: 'folder that keeps snapshots; it must exist',
  },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR',
    fallback: '`snapshot-work` in the state folder',
    meaning:
      'folder for unencrypted rows while a snapshot is made or restored; it must exist, and no other agent may use it',
  },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_BUCKET',
    fallback: 'none',
    meaning: 'S3 bucket that keeps snapshots instead of a folder',
  },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_REGION',
    fallback: '`AWS_REGION`, or else `us-east-1`',
    meaning: 'region of the bucket',
  },
  { name: 'UNDERSTUDY_AGENT_SNAPSHOT_PREFIX', fallback: 'none', meaning: 'folder in the bucket' },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT',
    fallback: "Amazon's",
    meaning: 'address of another S3 server',
  },
  {
    name: 'UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE',
    fallback: '`snapshot.key` in the state folder',
    meaning:
      'file with the key of the snapshots; further lines hold older keys. Without its key, a snapshot cannot be restored',
  },
  {
    name: 'UNDERSTUDY_AGENT_LOG_ROW_VALUES',
    fallback: '`false`',
    meaning: '`true` logs messages of PostgreSQL in full, although they may quote rows',
  },
  {
    name: 'UNDERSTUDY_LOG_LEVEL',
    fallback: '`info`',
    meaning: LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
  },
];
