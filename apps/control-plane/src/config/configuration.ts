import { ConfigurationError, EnvironmentReader } from './environment-reader.js';

/** Everything the process is told from outside, read once and frozen. Injected by this class; hand a feature its slice. */
export class Configuration {
  readonly http: HttpConfiguration;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  readonly ops: OpsConfiguration;
  readonly syncJobs: SyncJobsConfiguration;
  readonly logLevel: LogLevel;

  constructor(values: ConfigurationValues) {
    this.http = Object.freeze({ ...values.http });
    this.database = Object.freeze({ ...values.database });
    this.redis = Object.freeze({ ...values.redis });
    this.nats = Object.freeze({ ...values.nats });
    this.ops = Object.freeze({ ...values.ops });
    this.syncJobs = Object.freeze({ ...SYNC_JOBS_DEFAULTS, ...values.syncJobs });
    this.logLevel = values.logLevel;
    Object.freeze(this);
  }
}

export interface ConfigurationValues {
  readonly http: HttpConfiguration;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  readonly ops: OpsConfiguration;
  readonly syncJobs?: Partial<SyncJobsConfiguration>;
  readonly logLevel: LogLevel;
}

export interface HttpConfiguration {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Where clients and agents reach this server; no trailing slash, without `/v1`. */
  readonly publicUrl: string;
}

export interface DatabaseConfiguration {
  readonly url: string;
}

export interface RedisConfiguration {
  readonly url: string;
}

export interface NatsConfiguration {
  readonly url: string;
  /** What agents dial. */
  readonly publicUrl: string;
  readonly operatorSeed: string;
  readonly accountSeed: string;
  readonly agentAccountSeed: string;
  readonly systemAccountSeed: string;
}

export interface OpsConfiguration {
  readonly user: string;
  readonly password: string;
}

export interface SyncJobsConfiguration {
  readonly leaseMs: number;
  /** How often expired leases and forgotten jobs are looked for. */
  readonly reconcileMs: number;
  /** How often the outbox is read when nothing wakes the relay. */
  readonly relayMs: number;
  readonly maxAttempts: number;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SYNC_JOBS_DEFAULTS: SyncJobsConfiguration = Object.freeze({
  leaseMs: 60_000,
  reconcileMs: 3_000,
  relayMs: 1_000,
  maxAttempts: 3,
});

/**
 * Reads the whole configuration of the server.
 * @throws ConfigurationError with every problem at once; it names variables, never their values
 */
export function readConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const reader = new EnvironmentReader(env);
  const host = reader.text('UNDERSTUDY_HOST', '127.0.0.1');
  const port = reader.port('UNDERSTUDY_PORT', 8080);
  const natsUrl = reader.url('UNDERSTUDY_NATS_URL', ['nats:', 'tls:']);
  const values: ConfigurationValues = {
    http: {
      host,
      port,
      publicUrl: reader
        .url(
          'UNDERSTUDY_PUBLIC_URL',
          ['http:', 'https:'],
          `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
        )
        .replace(/\/+$/, ''),
    },
    database: { url: databaseUrl(reader) },
    redis: { url: reader.url('UNDERSTUDY_REDIS_URL', ['redis:', 'rediss:']) },
    nats: {
      url: natsUrl,
      publicUrl: reader.url('UNDERSTUDY_NATS_PUBLIC_URL', ['nats:', 'tls:', 'ws:', 'wss:'], natsUrl),
      operatorSeed: reader.seed('UNDERSTUDY_NATS_OPERATOR_SEED', 'SO'),
      accountSeed: reader.seed('UNDERSTUDY_NATS_ACCOUNT_SEED', 'SA'),
      agentAccountSeed: reader.seed('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED', 'SA'),
      systemAccountSeed: reader.seed('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED', 'SA'),
    },
    ops: {
      user: reader.text('UNDERSTUDY_OPS_USER', 'ops'),
      password: reader.text('UNDERSTUDY_OPS_PASSWORD'),
    },
    logLevel: logLevel(reader),
  };
  reader.finish();
  return new Configuration(values);
}

/** The slice that one-shot commands need. @throws ConfigurationError */
export function readDatabaseConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseConfiguration {
  const reader = new EnvironmentReader(env);
  const url = databaseUrl(reader);
  reader.finish();
  return Object.freeze({ url });
}

function databaseUrl(reader: EnvironmentReader): string {
  return reader.url('UNDERSTUDY_DATABASE_URL', ['postgresql:', 'postgres:']);
}

function logLevel(reader: EnvironmentReader): LogLevel {
  return reader.oneOf('UNDERSTUDY_LOG_LEVEL', LOG_LEVELS, 'info');
}

export { ConfigurationError };
