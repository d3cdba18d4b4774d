import { availableParallelism } from 'node:os';

import { ConfigurationError, EnvironmentReader } from './environment-reader.js';
import {
  DEFAULT_PLAN_LIMITS,
  readPlanLimitChanges,
  withChanges,
  type AllPlanLimits,
  type PlanLimitChanges,
} from './plans.js';

/** Everything the process is told from outside, read once and frozen. Injected by this class; hand a feature its slice. */
export class Configuration {
  readonly http: HttpConfiguration;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  readonly agentLink: AgentLinkConfiguration;
  readonly ops: OpsConfiguration;
  readonly syncJobs: SyncJobsConfiguration;
  readonly generation: GenerationConfiguration;
  readonly planLimits: AllPlanLimits;
  readonly usage: UsageConfiguration;
  readonly rateLimits: RateLimitsConfiguration;
  readonly models: ModelsConfiguration;
  readonly idempotency: IdempotencyConfiguration;
  readonly generators: GeneratorsConfiguration;
  readonly mockEndpoints: MockEndpointsConfiguration;
  readonly webhooks: WebhooksConfiguration;
  readonly snapshots: SnapshotsConfiguration;
  readonly retention: RetentionConfiguration;
  readonly logLevel: LogLevel;

  constructor(values: ConfigurationValues) {
    this.http = Object.freeze({ ...HTTP_DEFAULTS, ...values.http });
    this.database = Object.freeze({ ...values.database });
    this.redis = Object.freeze({ ...values.redis });
    this.nats = Object.freeze({ ...values.nats });
    this.ops = Object.freeze({ ...OPS_DEFAULTS, ...values.ops });
    this.agentLink = Object.freeze({ ...AGENT_LINK_DEFAULTS, ...values.agentLink });
    this.syncJobs = Object.freeze({ ...SYNC_JOBS_DEFAULTS, ...values.syncJobs });
    this.generation = Object.freeze({ ...GENERATION_DEFAULTS, ...values.generation });
    this.planLimits = withChanges(DEFAULT_PLAN_LIMITS, values.planLimits);
    this.usage = Object.freeze({ ...USAGE_DEFAULTS, ...values.usage });
    this.rateLimits = Object.freeze({ ...RATE_LIMITS_DEFAULTS, ...values.rateLimits });
    this.models = Object.freeze({ ...MODELS_DEFAULTS, ...values.models });
    this.idempotency = Object.freeze({ ...IDEMPOTENCY_DEFAULTS, ...values.idempotency });
    this.generators = Object.freeze({ ...GENERATORS_DEFAULTS, ...values.generators });
    const mockUrl = `${this.http.publicUrl}/mock`;
    this.mockEndpoints = Object.freeze({ ...MOCK_ENDPOINTS_DEFAULTS, url: mockUrl, ...values.mockEndpoints });
    this.webhooks = Object.freeze({
      ...WEBHOOKS_DEFAULTS,
      secretsKey: values.nats.operatorSeed,
      ...values.webhooks,
    });
    this.snapshots = Object.freeze({ ...SNAPSHOTS_DEFAULTS, ...values.snapshots });
    this.retention = Object.freeze({ ...RETENTION_DEFAULTS, ...values.retention });
    this.logLevel = values.logLevel;
    Object.freeze(this);
  }
}

export interface ConfigurationValues {
  readonly http: Omit<HttpConfiguration, keyof typeof HTTP_DEFAULTS> & Partial<HttpConfiguration>;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  readonly agentLink?: Partial<AgentLinkConfiguration>;
  readonly ops: Omit<OpsConfiguration, keyof typeof OPS_DEFAULTS> & Partial<OpsConfiguration>;
  readonly syncJobs?: Partial<SyncJobsConfiguration>;
  readonly generation?: Partial<GenerationConfiguration>;
  readonly planLimits?: PlanLimitChanges;
  readonly usage?: Partial<UsageConfiguration>;
  readonly rateLimits?: Partial<RateLimitsConfiguration>;
  readonly models?: Partial<ModelsConfiguration>;
  readonly idempotency?: Partial<IdempotencyConfiguration>;
  readonly generators?: Partial<GeneratorsConfiguration>;
  readonly mockEndpoints?: Partial<MockEndpointsConfiguration>;
  readonly webhooks?: Partial<WebhooksConfiguration>;
  readonly snapshots?: Partial<SnapshotsConfiguration>;
  readonly retention?: Partial<RetentionConfiguration>;
  readonly logLevel: LogLevel;
}

export interface HttpConfiguration {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Where clients and agents reach this server; no trailing slash, without `/v1`. */
  readonly publicUrl: string;
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For names the client; none when left out. */
  readonly trustedProxies?: readonly string[];
  /** Until a request has arrived whole, its body included. */
  readonly requestTimeoutMs: number;
  /** Open at one time; further ones are closed unanswered. */
  readonly maxConnections: number;
}

export interface DatabaseConfiguration {
  readonly url: string;
  /** Of one statement; 0 is none. */
  readonly statementTimeoutMs?: number;
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

/** What agents can make the link do, and what the link asks of NATS. */
export interface AgentLinkConfiguration {
  /** Servers that keep a copy of each stream; more than 1 needs a cluster. */
  readonly streamReplicas: number;
  /** Size of the stream of events. Agents repeat what it refuses. */
  readonly eventsMaxBytes: number;
  /** Events of one agent that the stream keeps. */
  readonly eventsPerAgent: number;
  /** Size of the stream of commands. What it refuses is an error to the sender. */
  readonly commandsMaxBytes: number;
  /** Events that one process handles at once, one of each agent. */
  readonly eventsAtOnce: number;
  /** The most that one process holds of one agent, handled or waiting. */
  readonly eventsHeldPerAgent: { readonly messages: number; readonly bytes: number };
  /** How often PostgreSQL is asked whether it answers while events wait for it. */
  readonly askDatabaseMs: number;
  /** Heartbeats, and answers, of one agent. */
  readonly messagesPerSecond: number;
  /** At least twice the jobs that an agent runs at once: it confirms each new lease with a heartbeat. */
  readonly messageBurst: number;
}

export interface OpsConfiguration {
  /** Where the second listener is: `/ops`, `/metrics` and a detailed `/readyz`. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Attempts to log in of one address that may fail before all of them are refused. */
  readonly failedLoginsPerMinute: number;
  /** How long the answer to a check of readiness is given again. */
  readonly readinessMs: number;
}

export interface SyncJobsConfiguration {
  readonly leaseMs: number;
  /** How often expired leases and forgotten jobs are looked for. */
  readonly reconcileMs: number;
  /** How often the outbox is read when nothing wakes the relay. */
  readonly relayMs: number;
  readonly maxAttempts: number;
  /** How long an agent may say nothing of a command before it is sent again. */
  readonly resendMs: number;
}

export interface SnapshotsConfiguration {
  /** How long the caller of a restore waits for an agent to look at the target. */
  readonly answerMs: number;
  /** How often snapshots that have expired are looked for. */
  readonly expireMs: number;
  /** How long an agent may say nothing of a deletion before it is sent again. */
  readonly deletionResendMs: number;
  /** The same of a deletion that an agent's policy refuses. */
  readonly refusedDeletionResendMs: number;
}

export interface RetentionConfiguration {
  /** How long entries of the audit log are kept; at least 30. */
  readonly auditDays: number;
  /** How long what has ended is kept: tokens, enrolment tokens, snapshots, definitions of jobs, unanswered requests to agents that are gone. */
  readonly endedDays: number;
  readonly sweepMs: number;
  /** Rows of one transaction. */
  readonly batch: number;
}

export interface GenerationConfiguration {
  /** What one organisation can hold; as many again serve organisations that hold none. */
  readonly threads: number;
  /** Requests that may wait for a thread; one organisation fills half of it. */
  readonly waiting: number;
  /** How long they do. */
  readonly waitMs: number;
  /** How long one request may keep its thread, time that its client takes to read included. */
  readonly wallMs: number;
  /** JavaScript heap of a thread. */
  readonly heapMb: number;
}

export interface UsageConfiguration {
  /** How long counted calls may stay in this process before they are written. */
  readonly flushMs: number;
}

export interface RateLimitsConfiguration {
  readonly windowSeconds: number;
  /** Requests without a valid token that one address may send in a window. */
  readonly anonymousPerMinute: number;
  /** Requests pass uncounted while Redis takes longer than this. */
  readonly answerWithinMs: number;
}

export interface ModelsConfiguration {
  /** Custom models that an organisation may keep here. */
  readonly maxPerOrganization: number;
}

export interface IdempotencyConfiguration {
  /** How long an answer can be had again. */
  readonly keepMs: number;
  /** How long a request holds its key before another one may take it over, should its server have been killed. */
  readonly holdMs: number;
  readonly sweepMs: number;
}

export interface GeneratorsConfiguration {
  /** Registered compositions that an organisation may keep, every version counted. */
  readonly maxPerOrganization: number;
  /** Of one, as JSON. */
  readonly maxBytes: number;
}

export interface MockEndpointsConfiguration {
  /** What their URLs begin with; no trailing slash. `/mock` of this server has to be reached there. */
  readonly url: string;
  /** How long an endpoint is served without looking whether it is still there. */
  readonly freshMs: number;
  /** How long counted calls may stay in this process before they are written. */
  readonly flushMs: number;
  /** Memory for endpoints that are being called. */
  readonly cacheBytes: number;
}

export interface WebhooksConfiguration {
  /** The secrets of endpoints are encrypted under a key made of it. */
  readonly secretsKey: string;
  /** Addresses and networks (CIDR) that receivers may have though they are not public. */
  readonly allowedNetworks: readonly string[];
  /** How long a delivery waits before each of its tries. */
  readonly retryDelaysMs: readonly number[];
  /** Of one try, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  /** An endpoint on which nothing has succeeded for so long is disabled. */
  readonly disableAfterMs: number;
  /** How long the delivery log goes back. */
  readonly keepMs: number;
  /** How often due deliveries are looked for when nothing wakes the sweep. */
  readonly sweepMs: number;
  readonly maxPerOrganization: number;
  /** Tries under way at once to one endpoint; one that fails gets one at a time. */
  readonly atOncePerEndpoint: number;
  readonly atOncePerOrganization: number;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const HTTP_DEFAULTS = Object.freeze({ requestTimeoutMs: 120_000, maxConnections: 4_096 });

export const OPS_DEFAULTS = Object.freeze({
  host: '127.0.0.1',
  port: 8081,
  failedLoginsPerMinute: 10,
  readinessMs: 1_000,
});

const MIB = 1024 * 1024;

export const AGENT_LINK_DEFAULTS: AgentLinkConfiguration = Object.freeze({
  streamReplicas: 1,
  eventsMaxBytes: 1024 * MIB,
  eventsPerAgent: 64,
  commandsMaxBytes: 256 * MIB,
  eventsAtOnce: 16,
  eventsHeldPerAgent: Object.freeze({ messages: 8, bytes: MIB }),
  askDatabaseMs: 1_000,
  messagesPerSecond: 2,
  messageBurst: 128,
});

export const SYNC_JOBS_DEFAULTS: SyncJobsConfiguration = Object.freeze({
  leaseMs: 45_000,
  reconcileMs: 3_000,
  relayMs: 1_000,
  maxAttempts: 3,
  resendMs: 10_000,
});

export const SNAPSHOTS_DEFAULTS: SnapshotsConfiguration = Object.freeze({
  answerMs: 5_000,
  expireMs: 5_000,
  deletionResendMs: 3 * 60_000,
  refusedDeletionResendMs: 60 * 60_000,
});

export const RETENTION_DEFAULTS: RetentionConfiguration = Object.freeze({
  auditDays: 730,
  endedDays: 90,
  sweepMs: 3_600_000,
  batch: 1_000,
});

/** A core is left to the event loop; below two threads short work would wait for long work. */
export const GENERATION_DEFAULTS: GenerationConfiguration = Object.freeze({
  threads: Math.max(2, availableParallelism() - 1),
  waiting: 256,
  waitMs: 30_000,
  wallMs: 60_000,
  heapMb: 256,
});

export const USAGE_DEFAULTS: UsageConfiguration = Object.freeze({ flushMs: 2_000 });

export const RATE_LIMITS_DEFAULTS: RateLimitsConfiguration = Object.freeze({
  windowSeconds: 60,
  anonymousPerMinute: 60,
  answerWithinMs: 250,
});
export const IDEMPOTENCY_DEFAULTS: IdempotencyConfiguration = Object.freeze({
  keepMs: 24 * 60 * 60 * 1000,
  holdMs: 30_000,
  sweepMs: 60_000,
});
export const MODELS_DEFAULTS: ModelsConfiguration = Object.freeze({ maxPerOrganization: 200 });

export const MOCK_ENDPOINTS_DEFAULTS = Object.freeze({
  freshMs: 1_000,
  flushMs: 1_000,
  cacheBytes: 128 * 1024 * 1024,
});

export const GENERATORS_DEFAULTS: GeneratorsConfiguration = Object.freeze({
  maxPerOrganization: 1_000,
  maxBytes: 64 * 1024,
});

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

export const WEBHOOKS_DEFAULTS: Omit<WebhooksConfiguration, 'secretsKey'> = Object.freeze({
  allowedNetworks: [],
  retryDelaysMs: [
    ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE],
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
  ],
  timeoutMs: 15 * SECOND,
  disableAfterMs: 5 * DAY,
  keepMs: 30 * DAY,
  sweepMs: SECOND,
  maxPerOrganization: 20,
  atOncePerEndpoint: 4,
  atOncePerOrganization: 16,
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
  const natsUrl = reader.natsUrl('UNDERSTUDY_NATS_URL');
  const ownUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = withoutSlash(reader.url('UNDERSTUDY_PUBLIC_URL', ['http:', 'https:'], ownUrl));
  const operatorSeed = reader.seed('UNDERSTUDY_NATS_OPERATOR_SEED', 'SO');
  const values: ConfigurationValues = {
    http: {
      host,
      port,
      publicUrl,
      trustedProxies: reader.networks('UNDERSTUDY_TRUSTED_PROXIES'),
      requestTimeoutMs:
        1000 *
        reader.integer('UNDERSTUDY_REQUEST_TIMEOUT_SECONDS', 1, 3_600, HTTP_DEFAULTS.requestTimeoutMs / 1000),
      maxConnections: reader.integer(
        'UNDERSTUDY_MAX_CONNECTIONS',
        1,
        1_000_000,
        HTTP_DEFAULTS.maxConnections,
      ),
    },
    database: { url: databaseUrl(reader) },
    redis: { url: reader.url('UNDERSTUDY_REDIS_URL', ['redis:', 'rediss:']) },
    nats: {
      url: natsUrl,
      publicUrl: reader.natsUrl('UNDERSTUDY_NATS_PUBLIC_URL', natsUrl),
      operatorSeed,
      accountSeed: reader.seed('UNDERSTUDY_NATS_ACCOUNT_SEED', 'SA'),
      agentAccountSeed: reader.seed('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED', 'SA'),
      systemAccountSeed: reader.seed('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED', 'SA'),
    },
    agentLink: {
      streamReplicas: reader.integer(
        'UNDERSTUDY_NATS_STREAM_REPLICAS',
        1,
        5,
        AGENT_LINK_DEFAULTS.streamReplicas,
      ),
    },
    ops: {
      host: reader.text('UNDERSTUDY_OPS_HOST', OPS_DEFAULTS.host),
      port: reader.port('UNDERSTUDY_OPS_PORT', OPS_DEFAULTS.port),
      user: reader.text('UNDERSTUDY_OPS_USER', 'ops'),
      password: reader.password('UNDERSTUDY_OPS_PASSWORD', 16),
    },
    generation: {
      threads: reader.integer('UNDERSTUDY_GENERATION_THREADS', 1, 256, GENERATION_DEFAULTS.threads),
    },
    syncJobs: {
      leaseMs: 1000 * reader.integer('UNDERSTUDY_LEASE_SECONDS', 5, 3_600, SYNC_JOBS_DEFAULTS.leaseMs / 1000),
    },
    rateLimits: {
      anonymousPerMinute: reader.integer(
        'UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE',
        1,
        999_999_999,
        RATE_LIMITS_DEFAULTS.anonymousPerMinute,
      ),
      answerWithinMs: reader.integer(
        'UNDERSTUDY_RATE_LIMIT_ANSWER_MS',
        1,
        60_000,
        RATE_LIMITS_DEFAULTS.answerWithinMs,
      ),
    },
    mockEndpoints: {
      url: withoutSlash(
        reader.url('UNDERSTUDY_MOCK_URL', ['http:', 'https:'], `${publicUrl || ownUrl}/mock`),
      ),
    },
    retention: {
      auditDays: reader.integer('UNDERSTUDY_AUDIT_KEEP_DAYS', 30, 36_500, RETENTION_DEFAULTS.auditDays),
      endedDays: reader.integer('UNDERSTUDY_ENDED_KEEP_DAYS', 1, 36_500, RETENTION_DEFAULTS.endedDays),
    },
    planLimits: reader.json(
      'UNDERSTUDY_PLAN_LIMITS',
      'a JSON object like {"free":{"requests_per_minute":120,"sync_jobs":10}}',
      readPlanLimitChanges,
      {},
    ),
    webhooks: {
      allowedNetworks: reader.networks('UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS'),
      retryDelaysMs: reader
        .integers(
          'UNDERSTUDY_WEBHOOK_RETRY_SECONDS',
          7 * 86_400,
          WEBHOOKS_DEFAULTS.retryDelaysMs.map(toSeconds),
        )
        .map((seconds) => seconds * 1000),
      timeoutMs:
        1000 *
        reader.integer('UNDERSTUDY_WEBHOOK_TIMEOUT_SECONDS', 1, 60, toSeconds(WEBHOOKS_DEFAULTS.timeoutMs)),
      secretsKey: reader.key('UNDERSTUDY_SECRETS_KEY', operatorSeed),
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

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function toSeconds(ms: number): number {
  return ms / 1000;
}

function databaseUrl(reader: EnvironmentReader): string {
  return reader.url('UNDERSTUDY_DATABASE_URL', ['postgresql:', 'postgres:']);
}

function logLevel(reader: EnvironmentReader): LogLevel {
  return reader.oneOf('UNDERSTUDY_LOG_LEVEL', LOG_LEVELS, 'info');
}

export { ConfigurationError };
