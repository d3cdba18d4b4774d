import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { AGENT_LABEL, MAX_AGENT_LABELS, MAX_AGENT_SLOTS } from '@understudy/sync-job';
import { defaultMaskingThreads } from '@understudy/sync-engine';
import { SecretFileError, secretVariable } from '@understudy/operator-commands';
import { type OutboundSettings, readOutboundSettings } from '@understudy/outbound';
import { isLoopback } from '@understudy/postgres';
import {
  absolutePath,
  ConfigurationError,
  integerReader,
  required,
  type Environment,
} from './environment.js';
import { readSnapshotStoreSettings, type SnapshotStoreSettings } from './snapshot-store-settings.js';

export { ConfigurationError };

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The validated, frozen configuration of the agent. The class is also the injection token of the
 * configuration.
 */
export class AgentConfiguration {
  /** Absolute path of the folder that holds the identity, the journal and the private models. */
  readonly stateDir: string;
  readonly policyFile: string;
  /** Ends with `/v1`, without a trailing slash. Uses https, or http on a loopback address. */
  readonly controlUrl: string;
  readonly enrolmentToken: string | undefined;
  readonly name: string;
  /** Labels by which a job can select this agent. A job can also select it by name. */
  readonly labels: readonly string[];
  /** File with the masking key that a group of agents shares. If undefined, the agent creates its own key. */
  readonly maskingKeyFile: string | undefined;
  /** Folder of pg_dump and pg_restore. */
  readonly pgBinDir: string | undefined;
  readonly maxJobs: number;
  /**
   * Time in milliseconds without heartbeat replies after which the agent stops jobs that have no grace period. It is
   * shorter than the lease of the control plane (45 s by default), after which another agent may run the jobs. No
   * environment variable changes it.
   */
  readonly lostAfterMs: number;
  /** Number of connections that one job opens to each database (source and target) to copy rows. */
  readonly connections: number;
  /** Number of worker threads that mask the rows of one job. If 0, the agent's main thread masks them. */
  readonly maskingThreads: number;
  /** Approximate size on disk, in bytes, of the part of a table that is copied as one unit. */
  readonly chunkBytes: number;
  /** Total time in milliseconds for which a job retries while other sessions lock its target tables. */
  readonly lockWaitMs: number;
  readonly journalMaxBytes: number;
  /** The agent accepts no work while the journal's disk has fewer free bytes than this. */
  readonly minFreeDiskBytes: number;
  /** Maximum total size in bytes of the cached files of uploaded models. */
  readonly modelCacheMaxBytes: number;
  readonly snapshots: SnapshotStoreSettings;
  /** The CA file and the proxy for connections to the control plane and NATS. */
  readonly outbound: OutboundSettings;
  readonly logLevel: LogLevel;
  /** Whether the log may contain row values, which PostgreSQL quotes in its error messages. */
  readonly logsRowValues: boolean;

  constructor(values: AgentConfigurationValues) {
    Object.assign(
      this,
      {
        maxJobs: 1,
        lostAfterMs: 30_000,
        connections: DEFAULT_CONNECTIONS,
        maskingThreads: DEFAULT_MASKING_THREADS,
        chunkBytes: DEFAULT_CHUNK_MB * MB,
        lockWaitMs: DEFAULT_LOCK_WAIT_SECONDS * 1_000,
        journalMaxBytes: DEFAULT_JOURNAL_MB * MB,
        minFreeDiskBytes: DEFAULT_MIN_FREE_DISK_MB * MB,
        modelCacheMaxBytes: DEFAULT_MODEL_CACHE_MB * MB,
        name: 'agent',
        labels: [],
        logLevel: 'info',
        logsRowValues: false,
        snapshots: {},
        outbound: {},
      },
      values,
    );
    Object.freeze(this);
  }
}

export type AgentConfigurationValues = Pick<AgentConfiguration, 'stateDir' | 'policyFile' | 'controlUrl'> &
  Partial<AgentConfiguration>;

/**
 * Reads and validates the environment variables.
 * @throws ConfigurationError that names every missing or invalid variable
 */
export function readAgentConfiguration(env: Environment = process.env): AgentConfiguration {
  const problems: string[] = [];
  const stateDir = required(env, 'UNDERSTUDY_AGENT_STATE_DIR', problems);
  const policyFile = required(env, 'UNDERSTUDY_AGENT_POLICY_FILE', problems);
  const controlUrl = required(env, 'UNDERSTUDY_CONTROL_URL', problems);
  if (controlUrl !== '') checkControlUrl(controlUrl, problems);
  const name = env['UNDERSTUDY_AGENT_NAME'] || 'agent';
  if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/.test(name)) {
    problems.push(
      'UNDERSTUDY_AGENT_NAME must be 1 to 63 letters, digits, spaces, dots, dashes or underscores',
    );
  }
  const enrolmentToken = readEnrolmentToken(env, problems);
  const labels = readLabels(env['UNDERSTUDY_AGENT_LABELS'] ?? '', problems);
  const maskingKeyFile = absolutePath(env, 'UNDERSTUDY_AGENT_MASKING_KEY_FILE', problems);
  const logLevel = LOG_LEVELS.find((level) => level === (env['UNDERSTUDY_LOG_LEVEL'] || 'info'));
  if (logLevel === undefined) problems.push(`UNDERSTUDY_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const pgBinDir = absolutePath(env, 'UNDERSTUDY_AGENT_PG_BIN_DIR', problems);
  const snapshots = readSnapshotStoreSettings(env, problems);
  const outbound = readOutboundSettings(env, problems);
  const integer = integerReader(env, problems);
  const maxJobs = integer('UNDERSTUDY_AGENT_MAX_JOBS', 1, MAX_AGENT_SLOTS, 1);
  const connections = integer('UNDERSTUDY_AGENT_CONNECTIONS', 1, MAX_CONNECTIONS, DEFAULT_CONNECTIONS);
  const maskingThreads = integer(
    'UNDERSTUDY_AGENT_MASKING_THREADS',
    0,
    MAX_MASKING_THREADS,
    DEFAULT_MASKING_THREADS,
  );
  const chunkMb = integer('UNDERSTUDY_AGENT_CHUNK_MB', 1, 100_000, DEFAULT_CHUNK_MB);
  const lockWaitSeconds = integer('UNDERSTUDY_AGENT_LOCK_WAIT_SECONDS', 0, 86_400, DEFAULT_LOCK_WAIT_SECONDS);
  const journalMb = integer('UNDERSTUDY_AGENT_JOURNAL_MAX_MB', 1, 100_000, DEFAULT_JOURNAL_MB);
  const minFreeDiskMb = integer('UNDERSTUDY_AGENT_MIN_FREE_DISK_MB', 0, 1_000_000, DEFAULT_MIN_FREE_DISK_MB);
  const modelCacheMb = integer('UNDERSTUDY_AGENT_MODEL_CACHE_MAX_MB', 1, 100_000, DEFAULT_MODEL_CACHE_MB);
  const logsRowValues = env['UNDERSTUDY_AGENT_LOG_ROW_VALUES'] || 'false';
  if (logsRowValues !== 'true' && logsRowValues !== 'false')
    problems.push('UNDERSTUDY_AGENT_LOG_ROW_VALUES must be true or false');
  if (problems.length > 0)
    throw new ConfigurationError('The agent cannot start with this environment', problems);
  return new AgentConfiguration({
    stateDir: resolve(stateDir),
    policyFile: resolve(policyFile),
    controlUrl: controlUrl.replace(/\/+$/, ''),
    enrolmentToken,
    name,
    labels,
    maskingKeyFile,
    pgBinDir,
    maxJobs,
    connections,
    maskingThreads,
    chunkBytes: chunkMb * MB,
    lockWaitMs: lockWaitSeconds * 1_000,
    journalMaxBytes: journalMb * MB,
    minFreeDiskBytes: minFreeDiskMb * MB,
    modelCacheMaxBytes: modelCacheMb * MB,
    snapshots,
    outbound,
    logLevel: logLevel ?? 'info',
    logsRowValues: logsRowValues === 'true',
  });
}

/** A missing file is no problem: an agent that has enrolled does not need the token. */
function readEnrolmentToken(env: Environment, problems: string[]): string | undefined {
  try {
    return secretVariable(env, 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN', { mayBeMissing: true });
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function readLabels(text: string, problems: string[]): readonly string[] {
  const labels = [...new Set(text.split(',').map((label) => label.trim()))].filter((label) => label !== '');
  if (labels.length > MAX_AGENT_LABELS || !labels.every((label) => AGENT_LABEL.test(label))) {
    problems.push(
      `UNDERSTUDY_AGENT_LABELS must be at most ${MAX_AGENT_LABELS} comma-separated labels of 1 to 63 letters, digits, dots, dashes, underscores or equals signs`,
    );
  }
  return labels;
}

function checkControlUrl(text: string, problems: string[]): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    problems.push('UNDERSTUDY_CONTROL_URL must be an https:// URL');
    return;
  }
  const url = new URL(text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    problems.push('UNDERSTUDY_CONTROL_URL must be https://: plain http is accepted on loopback only');
  }
  if (url.username !== '' || url.password !== '')
    problems.push('UNDERSTUDY_CONTROL_URL must not contain credentials');
}

const MB = 1_000_000;
const MAX_CONNECTIONS = 16;
const DEFAULT_CONNECTIONS = Math.min(availableParallelism(), MAX_CONNECTIONS);
const MAX_MASKING_THREADS = 16;
const DEFAULT_MASKING_THREADS = defaultMaskingThreads(availableParallelism());
const DEFAULT_CHUNK_MB = 64;
const DEFAULT_LOCK_WAIT_SECONDS = 600;
const DEFAULT_JOURNAL_MB = 64;
const DEFAULT_MIN_FREE_DISK_MB = 100;
const DEFAULT_MODEL_CACHE_MB = 512;

/** The defaults that do not depend on the machine. */
export const AGENT_DEFAULTS = Object.freeze({
  maxJobs: 1,
  chunkMb: DEFAULT_CHUNK_MB,
  lockWaitSeconds: DEFAULT_LOCK_WAIT_SECONDS,
  journalMb: DEFAULT_JOURNAL_MB,
  minFreeDiskMb: DEFAULT_MIN_FREE_DISK_MB,
  modelCacheMb: DEFAULT_MODEL_CACHE_MB,
});
