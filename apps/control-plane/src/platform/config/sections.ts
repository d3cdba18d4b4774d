import { availableParallelism } from 'node:os';

import type { LogLevel } from '@understudy/operator-commands';
import type { OutboundSettings } from '@understudy/outbound';

import type { ServerCertificate } from './certificate-files.js';
import type { OidcProviderSettings } from './oidc-providers.js';
import type { AllPlanLimits } from './plans.js';

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

/** Freezes the defaults of a section. Their type is that of the settings. */
function section<T extends object>(defaults: T): Readonly<T> {
  return Object.freeze(defaults);
}

/** The limit is low, because requests are small and come from machines nearby. */
const OPS_MAX_CONNECTIONS = 256;

const MIB = 1024 * 1024;
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The settings that have a default, by section. */
export const DEFAULTS = section({
  http: section({
    /** Time within which a whole request, including its body, must arrive. */
    requestTimeoutMs: 120_000,
    /** Maximum number of open connections. Further connections are closed without a response. */
    maxConnections: 4_096,
  }),
  ops: section({
    /** Address of the second listener, which serves `/ops`, `/metrics` and a detailed `/readyz`. */
    host: '127.0.0.1',
    /** The operating system chooses a free port if this is 0. */
    port: 8081,
    /** Number of failed logins in a minute after which all logins from the same address are refused. */
    failedLoginsPerMinute: 10,
    /** Time for which the result of a readiness check is reused. */
    readinessMs: 1_000,
    /** Maximum number of open connections. Further connections are closed without a response. */
    maxConnections: OPS_MAX_CONNECTIONS,
    /** Maximum number of open connections from one address, except from `http.trustedProxies`. */
    maxConnectionsPerAddress: shareOfOneAddress(OPS_MAX_CONNECTIONS),
  }),
  agentLink: section({
    /** Number of servers that keep a copy of each stream. More than 1 needs a cluster. */
    streamReplicas: 1,
    /** Maximum size of the event stream. Agents resend the events that a full stream refuses or evicts. */
    eventsMaxBytes: 1024 * MIB,
    /** Maximum number of events of one agent in the event stream. */
    eventsPerAgent: 64,
    /** Maximum size of the command stream. If the stream is full, sending a command fails. */
    commandsMaxBytes: 256 * MIB,
    /** Maximum number of events that one process handles concurrently, at most one for each agent. */
    concurrentEvents: 16,
    /**
     * Maximum number and total size of the events of one agent that one process holds in memory. Includes
     * events that are being handled and events that wait.
     */
    eventsHeldPerAgent: section({ messages: 8, bytes: MIB }),
    /**
     * Interval at which the process checks whether PostgreSQL is available again. Events wait during an outage.
     */
    databaseProbeMs: 1_000,
    /**
     * Maximum number of heartbeats of one agent in a second. The agent's responses to pre-check requests have a
     * separate, equal limit.
     */
    messagesPerSecond: 2,
    /**
     * Number of messages that may exceed the rate. Must be at least twice the number of jobs that an agent runs
     * concurrently, because the agent confirms each new lease with a heartbeat.
     */
    messageBurst: 128,
    /** Time without a heartbeat after which an agent counts as away, and the webhook event `agent.away` is sent. */
    awayAfterMs: 5 * MINUTE,
    /** Interval of the search for agents that are away or back. */
    absenceSweepMs: 3 * SECOND,
  }),
  syncJobs: section({
    leaseMs: 45_000,
    /** Time for which an agent without contact keeps work that no other agent can run. Added to `leaseMs`. */
    graceSeconds: 4 * 3_600,
    /** Interval of the search for expired leases and lost jobs. */
    reconcileMs: 3_000,
    /** Interval at which the relay reads the outbox if nothing wakes it earlier. */
    relayMs: 1_000,
    maxAttempts: 3,
    /** The number of lost leases after which work fails. */
    maxLostLeases: 20,
    /** Time after which a command is resent if its agent has not reported any event for it. */
    resendMs: 10_000,
  }),
  snapshots: section({
    /** Time limit of a pre-check, in which an agent checks the target before a restore is accepted. */
    precheckTimeoutMs: 5_000,
    /** Interval of the search for expired snapshots. */
    expireMs: 5_000,
    /** Time after which the deletion of a snapshot is resent if no agent has acknowledged it. */
    deletionResendMs: 3 * 60_000,
    /** Time after which a deletion is resent if the policy of an agent refused it. */
    refusedDeletionResendMs: 60 * 60_000,
  }),
  retention: section({
    /** Number of days for which entries of the audit log are kept, at least 30. */
    auditDays: 730,
    /**
     * Number of days for which ended resources are kept: tokens, enrolment tokens, snapshots, definitions of jobs, and
     * tasks whose agents no longer connect.
     */
    endedDays: 90,
    sweepMs: 3_600_000,
    /** Maximum number of rows that one transaction deletes. */
    batch: 1_000,
  }),
  /**
   * One organisation can use one thread less than there are cores, so that one core is left for the event loop.
   * The minimum is two threads, because short tasks would wait for long tasks on a single thread.
   */
  generation: section({
    /**
     * Number of threads that one organisation can use. The same number of threads is reserved for organisations
     * that use no thread.
     */
    threads: Math.max(2, availableParallelism() - 1),
    /** Maximum number of requests that wait for a thread. One organisation can use half of them. */
    waiting: 256,
    /** Maximum time that a request waits for a thread. */
    waitMs: 30_000,
    /**
     * Maximum time for which a request uses a thread, including the time in which the client reads the
     * response.
     */
    wallMs: 60_000,
    /** Size of the JavaScript heap of a thread. `MAX_JSON_VALUES` depends on it. */
    heapMb: 512,
  }),
  usage: section({
    /** Maximum time for which counted calls stay in memory before they are written. */
    flushMs: 2_000,
  }),
  rateLimits: section({
    windowSeconds: 60,
    /** Number of requests that one address may send in `windowSeconds` without a valid token. */
    anonymousPerMinute: 60,
    /** Number of requests that one agent may sign in `windowSeconds`. */
    agentPerMinute: 60,
    /** Number of calls that one session of the dashboard may send in `windowSeconds`. */
    sessionPerMinute: 600,
    /** Number of these calls that may change something. */
    sessionWritesPerMinute: 60,
    /** Number of attempts to sign in to the dashboard that one address may send in `windowSeconds`. */
    signInsPerMinute: 10,
    /**
     * Time that Redis has to respond. If Redis does not respond in time, this process counts requests in its
     * own memory for one second.
     */
    redisTimeoutMs: 250,
  }),
  idempotency: section({
    /** Time for which a stored response is returned again. */
    keepMs: 24 * 60 * 60 * 1000,
    /**
     * Time after which another request may take over a key, because the server that holds the key may have been
     * killed.
     */
    holdMs: 30_000,
    sweepMs: 60_000,
  }),
  models: section({
    /** Maximum number of custom models of an organisation. */
    maxPerOrganization: 200,
  }),
  mockEndpoints: section({
    /** Time for which an endpoint is served before the server checks again that it still exists. */
    freshMs: 1_000,
    /** Maximum time for which counted calls stay in memory before they are written. */
    flushMs: 1_000,
    /** Memory for cached endpoints. */
    cacheBytes: 128 * 1024 * 1024,
  }),
  generators: section({
    /** Maximum number of registered compositions of an organisation, counting every version. */
    maxPerOrganization: 1_000,
    /** Maximum size of one composition as JSON. */
    maxBytes: 64 * 1024,
  }),
  webhooks: section({
    /** Non-public addresses and networks (CIDR) to which webhooks may be delivered. */
    allowedNetworks: [] as readonly string[],
    /** Delay before each attempt of a delivery. */
    retryDelaysMs: [
      ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE],
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
    ] as readonly number[],
    /** Time limit of one attempt, from the DNS lookup to the end of the response. */
    timeoutMs: 15 * SECOND,
    /** The server disables an endpoint if no delivery to it has succeeded for this time. */
    disableAfterMs: 5 * DAY,
    /** Time for which the delivery log is kept. */
    keepMs: 30 * DAY,
    /** Interval of the search for due deliveries if nothing starts the search earlier. */
    sweepMs: SECOND,
    maxPerOrganization: 20,
    /** Maximum number of concurrent attempts to one endpoint. An endpoint that fails gets one attempt at a time. */
    concurrentPerEndpoint: 4,
    concurrentPerOrganization: 16,
  }),
  oidc: section({
    providers: [] as readonly OidcProviderSettings[],
    /** Time limit of one request to a provider, including its response. */
    timeoutMs: 10 * SECOND,
  }),
});
type Defaults = typeof DEFAULTS;
export type AgentLinkConfiguration = Defaults['agentLink'];

/** Returns the default limit on the connections from one address. */
export function shareOfOneAddress(maxConnections: number = DEFAULTS.http.maxConnections): number {
  return Math.ceil(maxConnections / 4);
}

/** Every section of the configuration. */
export interface Settings extends Defaults {
  readonly http: Defaults['http'] & {
    readonly host: string;
    /** The operating system chooses a free port if this is 0. */
    readonly port: number;
    /** The URL at which clients and agents reach this server, without a trailing slash and without `/v1`. */
    readonly publicUrl: string;
    /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For header is trusted; none if absent. */
    readonly trustedProxies?: readonly string[];
    /** Files of the certificate for HTTPS. If absent, the listener uses plain HTTP. */
    readonly certificate?: ServerCertificate;
    /** Maximum number of open connections from one address, except from `trustedProxies`. */
    readonly maxConnectionsPerAddress: number;
  };
  readonly ops: Defaults['ops'] & { readonly user: string; readonly password: string };
  readonly mockEndpoints: Defaults['mockEndpoints'] & {
    /**
     * Prefix of the URLs of mock endpoints, without a trailing slash. Requests to this prefix must reach
     * `/mock` of this server.
     */
    readonly url: string;
  };
  readonly webhooks: Defaults['webhooks'] & {
    /** The key that encrypts the secrets of endpoints is derived from this text. */
    readonly secretsKey: string;
  };
  readonly database: DatabaseConfiguration;
  readonly redis: RedisConfiguration;
  readonly nats: NatsConfiguration;
  /** The CA file of every outgoing connection to a service, and the proxy for NATS over `wss://` and for OIDC issuers. */
  readonly outbound: OutboundSettings;
  readonly planLimits: AllPlanLimits;
  readonly logLevel: LogLevel;
}
