import { availableParallelism } from 'node:os';

import type { NatsSeeds } from '@understudy/nats-trust';
import type { OutboundSettings } from '@understudy/outbound';

import { CertificateError, readCertificatePair, type ServerCertificate } from './certificate-files.js';
import { ConfigurationError, EnvironmentReader } from './environment-reader.js';
import { readOidcProviders, type OidcProviderSettings } from './oidc-providers.js';
import {
  DEFAULT_PLAN_LIMITS,
  readPlanLimitChanges,
  withChanges,
  type AllPlanLimits,
  type PlanLimitChanges,
} from './plans.js';
import {
  DatabaseUrlError,
  isPlaintextDatabase,
  isPlaintextRedis,
  PLAINTEXT_SERVICES,
  readDatabaseUrl,
  type PlaintextService,
} from './service-encryption.js';

/**
 * The complete configuration of the process. It is read once and frozen. This class is its injection token in
 * Nest. A feature should use only the sections that concern it.
 */
export class Configuration {
  readonly http: HttpConfiguration;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  /** The CA file of every outgoing connection to a service, and the proxy for NATS over `wss://` and for OIDC issuers. */
  readonly outbound: OutboundSettings;
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
  readonly oidc: OidcConfiguration;
  readonly logLevel: LogLevel;

  constructor(values: ConfigurationValues) {
    const maxConnectionsPerAddress = shareOfOneAddress(values.http.maxConnections);
    this.http = Object.freeze({ ...HTTP_DEFAULTS, maxConnectionsPerAddress, ...values.http });
    this.database = Object.freeze({ ...values.database });
    this.redis = Object.freeze({ ...values.redis });
    this.nats = Object.freeze({ ...values.nats });
    this.outbound = Object.freeze({ ...values.outbound });
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
    this.oidc = Object.freeze({ ...OIDC_DEFAULTS, ...values.oidc });
    this.logLevel = values.logLevel;
    Object.freeze(this);
  }
}

export interface ConfigurationValues {
  readonly http: Pick<HttpConfiguration, 'host' | 'port' | 'publicUrl'> & Partial<HttpConfiguration>;
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  readonly outbound?: OutboundSettings;
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
  readonly oidc?: Partial<OidcConfiguration>;
  readonly logLevel: LogLevel;
}

export interface HttpConfiguration {
  readonly host: string;
  /** The operating system chooses a free port if this is 0. */
  readonly port: number;
  /** The URL at which clients and agents reach this server, without a trailing slash and without `/v1`. */
  readonly publicUrl: string;
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For header is trusted; none if absent. */
  readonly trustedProxies?: readonly string[];
  /** Files of the certificate for HTTPS. If absent, the listener uses plain HTTP. */
  readonly certificate?: ServerCertificate;
  /** Time within which a whole request, including its body, must arrive. */
  readonly requestTimeoutMs: number;
  /** Maximum number of open connections. Further connections are closed without a response. */
  readonly maxConnections: number;
  /** Maximum number of open connections from one address, except from `trustedProxies`. */
  readonly maxConnectionsPerAddress: number;
}

export interface DatabaseConfiguration {
  readonly url: string;
  /** Time limit of one statement; 0 means no limit. */
  readonly statementTimeoutMs?: number;
  /** The CA file for TLS. */
  readonly outbound?: OutboundSettings;
}

export interface RedisConfiguration {
  readonly url: string;
  /** The CA file for TLS. */
  readonly outbound?: OutboundSettings;
}

export interface NatsConfiguration {
  readonly url: string;
  /** The URL that agents connect to. */
  readonly publicUrl: string;
  readonly operatorSeed: string;
  readonly accountSeed: string;
  readonly agentAccountSeed: string;
  readonly systemAccountSeed: string;
}

/** Limits on the messages of agents, and settings of the JetStream streams. */
export interface AgentLinkConfiguration {
  /** Number of servers that keep a copy of each stream. More than 1 needs a cluster. */
  readonly streamReplicas: number;
  /** Maximum size of the event stream. Agents resend the events that a full stream refuses or evicts. */
  readonly eventsMaxBytes: number;
  /** Maximum number of events of one agent in the event stream. */
  readonly eventsPerAgent: number;
  /** Maximum size of the command stream. If the stream is full, sending a command fails. */
  readonly commandsMaxBytes: number;
  /** Maximum number of events that one process handles concurrently, at most one for each agent. */
  readonly concurrentEvents: number;
  /**
   * Maximum number and total size of the events of one agent that one process holds in memory. Includes
   * events that are being handled and events that wait.
   */
  readonly eventsHeldPerAgent: { readonly messages: number; readonly bytes: number };
  /**
   * Interval at which the process checks whether PostgreSQL is available again. Events wait during an outage.
   */
  readonly databaseProbeMs: number;
  /**
   * Maximum number of heartbeats of one agent in a second. The agent's responses to pre-check requests have a
   * separate, equal limit.
   */
  readonly messagesPerSecond: number;
  /**
   * Number of messages that may exceed the rate. Must be at least twice the number of jobs that an agent runs
   * concurrently, because the agent confirms each new lease with a heartbeat.
   */
  readonly messageBurst: number;
}

export interface OpsConfiguration {
  /** Address of the second listener, which serves `/ops`, `/metrics` and a detailed `/readyz`. */
  readonly host: string;
  /** The operating system chooses a free port if this is 0. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Number of failed logins in a minute after which all logins from the same address are refused. */
  readonly failedLoginsPerMinute: number;
  /** Time for which the result of a readiness check is reused. */
  readonly readinessMs: number;
  /** Maximum number of open connections. Further connections are closed without a response. */
  readonly maxConnections: number;
  /** Maximum number of open connections from one address, except from `http.trustedProxies`. */
  readonly maxConnectionsPerAddress: number;
}

export interface SyncJobsConfiguration {
  readonly leaseMs: number;
  /** Time for which an agent without contact keeps work that no other agent can run. Added to `leaseMs`. */
  readonly graceSeconds: number;
  /** Interval of the search for expired leases and lost jobs. */
  readonly reconcileMs: number;
  /** Interval at which the relay reads the outbox if nothing wakes it earlier. */
  readonly relayMs: number;
  readonly maxAttempts: number;
  /** The number of lost leases after which work fails. */
  readonly maxLostLeases: number;
  /** Time after which a command is resent if its agent has not reported any event for it. */
  readonly resendMs: number;
}

export interface SnapshotsConfiguration {
  /** Time limit of a pre-check, in which an agent checks the target before a restore is accepted. */
  readonly precheckTimeoutMs: number;
  /** Interval of the search for expired snapshots. */
  readonly expireMs: number;
  /** Time after which the deletion of a snapshot is resent if no agent has acknowledged it. */
  readonly deletionResendMs: number;
  /** Time after which a deletion is resent if the policy of an agent refused it. */
  readonly refusedDeletionResendMs: number;
}

export interface RetentionConfiguration {
  /** Number of days for which entries of the audit log are kept, at least 30. */
  readonly auditDays: number;
  /**
   * Number of days for which ended resources are kept: tokens, enrolment tokens, snapshots, definitions of jobs, and
   * tasks whose agents no longer connect.
   */
  readonly endedDays: number;
  readonly sweepMs: number;
  /** Maximum number of rows that one transaction deletes. */
  readonly batch: number;
}

export interface GenerationConfiguration {
  /**
   * Number of threads that one organisation can use. The same number of threads is reserved for organisations
   * that use no thread.
   */
  readonly threads: number;
  /** Maximum number of requests that wait for a thread. One organisation can use half of them. */
  readonly waiting: number;
  /** Maximum time that a request waits for a thread. */
  readonly waitMs: number;
  /**
   * Maximum time for which a request uses a thread, including the time in which the client reads the
   * response.
   */
  readonly wallMs: number;
  /** Size of the JavaScript heap of a thread. */
  readonly heapMb: number;
}

export interface UsageConfiguration {
  /** Maximum time for which counted calls stay in memory before they are written. */
  readonly flushMs: number;
}

export interface RateLimitsConfiguration {
  readonly windowSeconds: number;
  /** Number of requests that one address may send in `windowSeconds` without a valid token. */
  readonly anonymousPerMinute: number;
  /** Number of requests that one agent may sign in `windowSeconds`. */
  readonly agentPerMinute: number;
  /** Number of calls that one session of the dashboard may send in `windowSeconds`. */
  readonly sessionPerMinute: number;
  /** Number of these calls that may change something. */
  readonly sessionWritesPerMinute: number;
  /** Number of attempts to sign in to the dashboard that one address may send in `windowSeconds`. */
  readonly signInsPerMinute: number;
  /**
   * Time that Redis has to respond. If Redis does not respond in time, this process counts requests in its
   * own memory for one second.
   */
  readonly redisTimeoutMs: number;
}

export interface ModelsConfiguration {
  /** Maximum number of custom models of an organisation. */
  readonly maxPerOrganization: number;
}

export interface IdempotencyConfiguration {
  /** Time for which a stored response is returned again. */
  readonly keepMs: number;
  /**
   * Time after which another request may take over a key, because the server that holds the key may have been
   * killed.
   */
  readonly holdMs: number;
  readonly sweepMs: number;
}

export interface GeneratorsConfiguration {
  /** Maximum number of registered compositions of an organisation, counting every version. */
  readonly maxPerOrganization: number;
  /** Maximum size of one composition as JSON. */
  readonly maxBytes: number;
}

export interface MockEndpointsConfiguration {
  /**
   * Prefix of the URLs of mock endpoints, without a trailing slash. Requests to this prefix must reach
   * `/mock` of this server.
   */
  readonly url: string;
  /** Time for which an endpoint is served before the server checks again that it still exists. */
  readonly freshMs: number;
  /** Maximum time for which counted calls stay in memory before they are written. */
  readonly flushMs: number;
  /** Memory for cached endpoints. */
  readonly cacheBytes: number;
}

export interface WebhooksConfiguration {
  /** The key that encrypts the secrets of endpoints is derived from this text. */
  readonly secretsKey: string;
  /** Non-public addresses and networks (CIDR) to which webhooks may be delivered. */
  readonly allowedNetworks: readonly string[];
  /** Delay before each attempt of a delivery. */
  readonly retryDelaysMs: readonly number[];
  /** Time limit of one attempt, from the DNS lookup to the end of the response. */
  readonly timeoutMs: number;
  /** The server disables an endpoint if no delivery to it has succeeded for this time. */
  readonly disableAfterMs: number;
  /** Time for which the delivery log is kept. */
  readonly keepMs: number;
  /** Interval of the search for due deliveries if nothing starts the search earlier. */
  readonly sweepMs: number;
  readonly maxPerOrganization: number;
  /** Maximum number of concurrent attempts to one endpoint. An endpoint that fails gets one attempt at a time. */
  readonly concurrentPerEndpoint: number;
  readonly concurrentPerOrganization: number;
}

/** Sign-in through OpenID Connect. */
export interface OidcConfiguration {
  readonly providers: readonly OidcProviderSettings[];
  /** Time limit of one request to a provider, including its response. */
  readonly timeoutMs: number;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const HTTP_DEFAULTS = Object.freeze({ requestTimeoutMs: 120_000, maxConnections: 4_096 });

/** Returns the default limit on the connections from one address. */
export function shareOfOneAddress(maxConnections: number = HTTP_DEFAULTS.maxConnections): number {
  return Math.ceil(maxConnections / 4);
}

/** The limit is low, because requests are small and come from machines nearby. */
const OPS_MAX_CONNECTIONS = 256;

export const OPS_DEFAULTS = Object.freeze({
  host: '127.0.0.1',
  port: 8081,
  failedLoginsPerMinute: 10,
  readinessMs: 1_000,
  maxConnections: OPS_MAX_CONNECTIONS,
  maxConnectionsPerAddress: shareOfOneAddress(OPS_MAX_CONNECTIONS),
});

const MIB = 1024 * 1024;

export const AGENT_LINK_DEFAULTS: AgentLinkConfiguration = Object.freeze({
  streamReplicas: 1,
  eventsMaxBytes: 1024 * MIB,
  eventsPerAgent: 64,
  commandsMaxBytes: 256 * MIB,
  concurrentEvents: 16,
  eventsHeldPerAgent: Object.freeze({ messages: 8, bytes: MIB }),
  databaseProbeMs: 1_000,
  messagesPerSecond: 2,
  messageBurst: 128,
});

export const SYNC_JOBS_DEFAULTS: SyncJobsConfiguration = Object.freeze({
  leaseMs: 45_000,
  graceSeconds: 4 * 3_600,
  reconcileMs: 3_000,
  relayMs: 1_000,
  maxAttempts: 3,
  maxLostLeases: 20,
  resendMs: 10_000,
});

export const SNAPSHOTS_DEFAULTS: SnapshotsConfiguration = Object.freeze({
  precheckTimeoutMs: 5_000,
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

/**
 * One organisation can use one thread less than there are cores, so that one core is left for the event loop.
 * The minimum is two threads, because short tasks would wait for long tasks on a single thread.
 */
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
  agentPerMinute: 60,
  sessionPerMinute: 600,
  sessionWritesPerMinute: 60,
  signInsPerMinute: 10,
  redisTimeoutMs: 250,
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
  concurrentPerEndpoint: 4,
  concurrentPerOrganization: 16,
});

export const OIDC_DEFAULTS: OidcConfiguration = Object.freeze({ providers: [], timeoutMs: 10 * SECOND });

/** Returns the environment variables of this process. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Reads the complete configuration of the server.
 * @throws ConfigurationError with all problems. The message contains names of variables, but never their values.
 */
export function readConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const reader = new EnvironmentReader(env);
  const natsUrl = reader.natsUrl('UNDERSTUDY_NATS_URL');
  const certificate = readCertificate(reader);
  const { host, port, ownUrl, publicUrl } = readAddresses(reader, certificate !== undefined);
  const outbound = reader.outbound();
  const plaintext = allowedPlaintext(reader);
  const operatorSeed = reader.seed('UNDERSTUDY_NATS_OPERATOR_SEED', 'SO');
  const maxConnections = reader.integer(
    'UNDERSTUDY_MAX_CONNECTIONS',
    1,
    MAX_CONNECTIONS,
    HTTP_DEFAULTS.maxConnections,
  );
  const values: ConfigurationValues = {
    http: {
      host,
      port,
      publicUrl,
      trustedProxies: reader.networks('UNDERSTUDY_TRUSTED_PROXIES'),
      ...(certificate ? { certificate } : {}),
      requestTimeoutMs:
        1000 *
        reader.integer('UNDERSTUDY_REQUEST_TIMEOUT_SECONDS', 1, 3_600, HTTP_DEFAULTS.requestTimeoutMs / 1000),
      maxConnections,
      maxConnectionsPerAddress: reader.integer(
        'UNDERSTUDY_MAX_CONNECTIONS_PER_ADDRESS',
        1,
        MAX_CONNECTIONS,
        shareOfOneAddress(maxConnections),
      ),
    },
    database: { url: databaseUrl(reader, plaintext), outbound },
    redis: { url: redisUrl(reader, plaintext), outbound },
    nats: {
      url: natsUrl,
      publicUrl: reader.natsUrl('UNDERSTUDY_NATS_PUBLIC_URL', natsUrl),
      operatorSeed,
      accountSeed: reader.seed('UNDERSTUDY_NATS_ACCOUNT_SEED', 'SA'),
      agentAccountSeed: reader.seed('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED', 'SA'),
      systemAccountSeed: reader.seed('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED', 'SA'),
    },
    outbound,
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
      maxConnectionsPerAddress: reader.integer(
        'UNDERSTUDY_OPS_MAX_CONNECTIONS_PER_ADDRESS',
        1,
        OPS_MAX_CONNECTIONS,
        OPS_DEFAULTS.maxConnectionsPerAddress,
      ),
    },
    generation: {
      threads: reader.integer('UNDERSTUDY_GENERATION_THREADS', 1, 256, GENERATION_DEFAULTS.threads),
    },
    syncJobs: {
      leaseMs: 1000 * reader.integer('UNDERSTUDY_LEASE_SECONDS', 5, 3_600, SYNC_JOBS_DEFAULTS.leaseMs / 1000),
      graceSeconds: reader.integer(
        'UNDERSTUDY_GRACE_PERIOD_SECONDS',
        0,
        86_400,
        SYNC_JOBS_DEFAULTS.graceSeconds,
      ),
    },
    rateLimits: {
      anonymousPerMinute: reader.integer(
        'UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE',
        1,
        999_999_999,
        RATE_LIMITS_DEFAULTS.anonymousPerMinute,
      ),
      sessionPerMinute: reader.integer(
        'UNDERSTUDY_SESSION_REQUESTS_PER_MINUTE',
        1,
        999_999_999,
        RATE_LIMITS_DEFAULTS.sessionPerMinute,
      ),
      sessionWritesPerMinute: reader.integer(
        'UNDERSTUDY_SESSION_WRITES_PER_MINUTE',
        1,
        999_999_999,
        RATE_LIMITS_DEFAULTS.sessionWritesPerMinute,
      ),
      redisTimeoutMs: reader.integer(
        'UNDERSTUDY_RATE_LIMIT_ANSWER_MS',
        1,
        60_000,
        RATE_LIMITS_DEFAULTS.redisTimeoutMs,
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
    oidc: { providers: readOidcProviders(reader) },
    logLevel: logLevel(reader),
  };
  reader.finish();
  return new Configuration(values);
}

/** Reads only the database section, for commands that run once and exit. @throws ConfigurationError */
export function readDatabaseConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseConfiguration {
  const reader = new EnvironmentReader(env);
  const database = { url: databaseUrl(reader, allowedPlaintext(reader)), outbound: reader.outbound() };
  reader.finish();
  return Object.freeze(database);
}

/** Reads only the seeds, for a command that needs no other variable. @throws ConfigurationError */
export function readNatsSeeds(env: Readonly<Record<string, string | undefined>> = process.env): NatsSeeds {
  const reader = new EnvironmentReader(env);
  const seeds = {
    operator: reader.seed('UNDERSTUDY_NATS_OPERATOR_SEED', 'SO'),
    account: reader.seed('UNDERSTUDY_NATS_ACCOUNT_SEED', 'SA'),
    agentAccount: reader.seed('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED', 'SA'),
    systemAccount: reader.seed('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED', 'SA'),
  };
  reader.finish();
  return seeds;
}

/**
 * Reads only the URL at which clients reach the server, for commands that print links.
 * @throws ConfigurationError
 */
export function readPublicUrl(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const reader = new EnvironmentReader(env);
  const { publicUrl } = readAddresses(reader, reader.text('UNDERSTUDY_TLS_CERT_FILE', '') !== '');
  reader.finish();
  return publicUrl;
}

/** `ownUrl` is the URL of the listener, which is also the default of `publicUrl`. */
function readAddresses(reader: EnvironmentReader, isEncrypted: boolean) {
  const host = reader.text('UNDERSTUDY_HOST', '127.0.0.1');
  const port = reader.port('UNDERSTUDY_PORT', 8080);
  const ownUrl = `${isEncrypted ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = withoutSlash(reader.url('UNDERSTUDY_PUBLIC_URL', ['http:', 'https:'], ownUrl));
  return { host, port, ownUrl, publicUrl };
}

/** Reads the files once, so that the server does not start with a pair that it cannot use. */
function readCertificate(reader: EnvironmentReader): ServerCertificate | undefined {
  const certFile = reader.text('UNDERSTUDY_TLS_CERT_FILE', '');
  const keyFile = reader.text('UNDERSTUDY_TLS_KEY_FILE', '');
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '' || keyFile === '')
    return reader.problem(
      'UNDERSTUDY_TLS_CERT_FILE and UNDERSTUDY_TLS_KEY_FILE must be set together',
      undefined,
    );
  try {
    readCertificatePair({ certFile, keyFile });
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    reader.problem(error.message, undefined);
  }
  return Object.freeze({ certFile, keyFile, checkMs: CERTIFICATE_CHECK_MS });
}

const MAX_CONNECTIONS = 1_000_000;
const CERTIFICATE_CHECK_MS = 5_000;

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function toSeconds(ms: number): number {
  return ms / 1000;
}

function databaseUrl(reader: EnvironmentReader, plaintext: readonly PlaintextService[]): string {
  const url = reader.secretUrl('UNDERSTUDY_DATABASE_URL', ['postgresql:', 'postgres:']);
  if (url === '') return url; // already reported
  try {
    if (!isPlaintextDatabase(readDatabaseUrl(url)) || plaintext.includes('postgresql')) return url;
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    return reader.problem(`UNDERSTUDY_DATABASE_URL ${error.message}`, url);
  }
  return reader.problem(
    'UNDERSTUDY_DATABASE_URL must have sslmode=verify-full, verify-ca or require, or no sslmode: PostgreSQL on another machine is reached in plaintext only if UNDERSTUDY_ALLOW_PLAINTEXT names postgresql',
    url,
  );
}

function redisUrl(reader: EnvironmentReader, plaintext: readonly PlaintextService[]): string {
  const url = reader.secretUrl('UNDERSTUDY_REDIS_URL', ['redis:', 'rediss:']);
  if (url === '' || !isPlaintextRedis(url) || plaintext.includes('redis')) return url;
  return reader.problem(
    'UNDERSTUDY_REDIS_URL must start with rediss://: Redis on another machine is reached in plaintext only if UNDERSTUDY_ALLOW_PLAINTEXT names redis',
    url,
  );
}

function allowedPlaintext(reader: EnvironmentReader): readonly PlaintextService[] {
  return reader.someOf('UNDERSTUDY_ALLOW_PLAINTEXT', PLAINTEXT_SERVICES);
}

function logLevel(reader: EnvironmentReader): LogLevel {
  return reader.oneOf('UNDERSTUDY_LOG_LEVEL', LOG_LEVELS, 'info');
}

export { ConfigurationError };
