import { availableParallelism } from 'node:os';

import type { OutboundSettings } from '@understudy/outbound';

import type { ServerCertificate } from './certificate-files.js';
import type { OidcProviderSettings } from './oidc-providers.js';

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
