import {
  AGENT_LINK_DEFAULTS,
  HTTP_DEFAULTS,
  LOG_LEVELS,
  OPS_DEFAULTS,
  RATE_LIMITS_DEFAULTS,
  RETENTION_DEFAULTS,
  SYNC_JOBS_DEFAULTS,
  WEBHOOKS_DEFAULTS,
} from '../platform/config/configuration.js';
import { SECRET_VARIABLES } from '../platform/config/environment-reader.js';

/** An environment variable of the control plane, as docs/reference/configuration.md lists it. */
export interface Variable {
  readonly name: string;
  /** The value that is used if the variable is not set, or `required`. */
  readonly fallback: string;
  readonly meaning: string;
}

const seconds = (ms: number): string => String(ms / 1000);

const OWN_VARIABLES: readonly Variable[] = [
  {
    name: 'UNDERSTUDY_DATABASE_URL',
    fallback: 'required',
    meaning:
      'PostgreSQL of the control plane: `postgresql://user:password@host:port/database?sslmode=…`; without `sslmode`, `verify-full` for another machine',
  },
  {
    name: 'UNDERSTUDY_REDIS_URL',
    fallback: 'required',
    meaning: 'Redis for the work queue: `rediss://…`, or `redis://…` on loopback',
  },
  {
    name: 'UNDERSTUDY_ALLOW_PLAINTEXT',
    fallback: 'none',
    meaning:
      'services on other machines that may be reached without TLS, separated by commas: `postgresql`, `redis`',
  },
  {
    name: 'UNDERSTUDY_NATS_URL',
    fallback: 'required',
    meaning:
      'address of NATS for the control plane: `tls://host:4222`, `wss://host/path`, or `nats://…` on loopback',
  },
  {
    name: 'UNDERSTUDY_NATS_PUBLIC_URL',
    fallback: '`UNDERSTUDY_NATS_URL`',
    meaning: 'address of NATS for agents, by the same rule',
  },
  {
    name: 'UNDERSTUDY_CA_FILE',
    fallback: 'none',
    meaning:
      'PEM file with certificate authorities to trust for NATS, PostgreSQL, Redis, OpenID Connect issuers and the proxy, in addition to those of Node.js; a change takes effect without a restart',
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
      'HTTP proxy for NATS over `wss://` and for OpenID Connect issuers: `http://` or `https://`, with `user:password@` if it requires credentials; webhooks do not use it',
  },
  { name: 'https_proxy', fallback: '`HTTPS_PROXY`', meaning: 'the same; precedes `HTTPS_PROXY`' },
  {
    name: 'NO_PROXY',
    fallback: 'none',
    meaning:
      'hosts to reach without the proxy, separated by commas: names with their subdomains, addresses, networks, or `*`',
  },
  { name: 'no_proxy', fallback: '`NO_PROXY`', meaning: 'the same; precedes `NO_PROXY`' },
  {
    name: 'UNDERSTUDY_NATS_OPERATOR_SEED',
    fallback: 'required',
    meaning: 'nkey seed of the NATS operator (`SO…`)',
  },
  {
    name: 'UNDERSTUDY_NATS_ACCOUNT_SEED',
    fallback: 'required',
    meaning: "nkey seed of the control plane's own account (`SA…`)",
  },
  {
    name: 'UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED',
    fallback: 'required',
    meaning: 'nkey seed of the account of the agents (`SA…`)',
  },
  {
    name: 'UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED',
    fallback: 'required',
    meaning: 'nkey seed of the NATS system account (`SA…`)',
  },
  {
    name: 'UNDERSTUDY_NATS_STREAM_REPLICAS',
    fallback: String(AGENT_LINK_DEFAULTS.streamReplicas),
    meaning: 'NATS servers that keep a copy of each stream, 1 to 5',
  },
  { name: 'UNDERSTUDY_HOST', fallback: '`127.0.0.1`', meaning: 'address of the API listener' },
  { name: 'UNDERSTUDY_PORT', fallback: '8080', meaning: 'port of the API listener' },
  {
    name: 'UNDERSTUDY_TLS_CERT_FILE',
    fallback: 'none (plain HTTP)',
    meaning: 'PEM file with the certificate of the API listener and its intermediate authorities',
  },
  {
    name: 'UNDERSTUDY_TLS_KEY_FILE',
    fallback: 'none',
    meaning: 'PEM file with the private key of this certificate, without a password',
  },
  {
    name: 'UNDERSTUDY_PUBLIC_URL',
    fallback: 'protocol, host and port',
    meaning: 'address at which clients and agents reach the API, without `/v1`',
  },
  {
    name: 'UNDERSTUDY_MOCK_URL',
    fallback: '`<public URL>/mock`',
    meaning: 'address at which clients reach mock endpoints',
  },
  {
    name: 'UNDERSTUDY_TRUSTED_PROXIES',
    fallback: 'none',
    meaning: 'addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas',
  },
  {
    name: 'UNDERSTUDY_REQUEST_TIMEOUT_SECONDS',
    fallback: seconds(HTTP_DEFAULTS.requestTimeoutMs),
    meaning: 'seconds within which a whole request must arrive, 1 to 3,600',
  },
  {
    name: 'UNDERSTUDY_MAX_CONNECTIONS',
    fallback: String(HTTP_DEFAULTS.maxConnections),
    meaning: 'maximum number of open connections to the API; further connections are closed',
  },
  {
    name: 'UNDERSTUDY_MAX_CONNECTIONS_PER_ADDRESS',
    fallback: 'a quarter of `UNDERSTUDY_MAX_CONNECTIONS`',
    meaning: 'maximum number of open connections from one address, or from one /64 network of IPv6',
  },
  {
    name: 'UNDERSTUDY_OPS_HOST',
    fallback: `\`${OPS_DEFAULTS.host}\``,
    meaning: 'address of the operations listener',
  },
  {
    name: 'UNDERSTUDY_OPS_PORT',
    fallback: String(OPS_DEFAULTS.port),
    meaning: 'port of the operations listener',
  },
  {
    name: 'UNDERSTUDY_OPS_MAX_CONNECTIONS_PER_ADDRESS',
    fallback: String(OPS_DEFAULTS.maxConnectionsPerAddress),
    meaning: `maximum number of open connections from one address to the operations listener, of ${OPS_DEFAULTS.maxConnections} in total`,
  },
  { name: 'UNDERSTUDY_OPS_USER', fallback: '`ops`', meaning: 'user of the ops page' },
  {
    name: 'UNDERSTUDY_OPS_PASSWORD',
    fallback: 'required',
    meaning: 'password of the ops page, at least 16 characters',
  },
  {
    name: 'UNDERSTUDY_GENERATION_THREADS',
    fallback: 'depends on the number of cores',
    meaning: 'worker threads that one organisation can use, 1 to 256',
  },
  {
    name: 'UNDERSTUDY_LEASE_SECONDS',
    fallback: seconds(SYNC_JOBS_DEFAULTS.leaseMs),
    meaning: 'seconds without a heartbeat after which another agent gets the job, 5 to 3,600',
  },
  {
    name: 'UNDERSTUDY_GRACE_PERIOD_SECONDS',
    fallback: `${SYNC_JOBS_DEFAULTS.graceSeconds} (4 hours)`,
    meaning:
      'grace period: further seconds without a heartbeat for which an agent keeps a job that no other agent can run, 0 to 86,400',
  },
  {
    name: 'UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE',
    fallback: String(RATE_LIMITS_DEFAULTS.anonymousPerMinute),
    meaning: 'requests without a valid token that one address may send in a minute',
  },
  {
    name: 'UNDERSTUDY_SESSION_REQUESTS_PER_MINUTE',
    fallback: String(RATE_LIMITS_DEFAULTS.sessionPerMinute),
    meaning: 'calls that one session of the dashboard may send in a minute',
  },
  {
    name: 'UNDERSTUDY_SESSION_WRITES_PER_MINUTE',
    fallback: String(RATE_LIMITS_DEFAULTS.sessionWritesPerMinute),
    meaning: 'calls of these that may change something',
  },
  {
    name: 'UNDERSTUDY_RATE_LIMIT_ANSWER_MS',
    fallback: String(RATE_LIMITS_DEFAULTS.redisTimeoutMs),
    meaning: 'milliseconds that a process waits for Redis before it counts requests by itself',
  },
  {
    name: 'UNDERSTUDY_PLAN_LIMITS',
    fallback: 'none',
    meaning: 'changed limits of plans as JSON: `{"free": {"sync_jobs": 10}}`',
  },
  {
    name: 'UNDERSTUDY_AUDIT_KEEP_DAYS',
    fallback: String(RETENTION_DEFAULTS.auditDays),
    meaning: 'days that audit entries are kept, at least 30',
  },
  {
    name: 'UNDERSTUDY_ENDED_KEEP_DAYS',
    fallback: String(RETENTION_DEFAULTS.endedDays),
    meaning:
      'days for which rows of expired or revoked tokens, of deleted snapshots, and definitions of ended jobs are kept',
  },
  {
    name: 'UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS',
    fallback: 'none',
    meaning: 'private networks that webhooks may be sent to, separated by commas',
  },
  {
    name: 'UNDERSTUDY_WEBHOOK_RETRY_SECONDS',
    fallback: WEBHOOKS_DEFAULTS.retryDelaysMs.map(seconds).join(', '),
    meaning: 'seconds before each attempt of a delivery, separated by commas',
  },
  {
    name: 'UNDERSTUDY_WEBHOOK_TIMEOUT_SECONDS',
    fallback: seconds(WEBHOOKS_DEFAULTS.timeoutMs),
    meaning: 'seconds that one attempt of a delivery may take, 1 to 60',
  },
  {
    name: 'UNDERSTUDY_SECRETS_KEY',
    fallback: '`UNDERSTUDY_NATS_OPERATOR_SEED`',
    meaning:
      'key that encrypts webhook secrets, at least 32 characters. Set it: with the default, a new operator seed makes the stored secrets unreadable',
  },
  {
    name: 'UNDERSTUDY_OIDC_PROVIDERS',
    fallback: 'none',
    meaning: 'issuers of OpenID Connect through which members can sign in, as a JSON array',
  },
  {
    name: 'UNDERSTUDY_LOG_LEVEL',
    fallback: '`info`',
    meaning: `lowest level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}`,
  },
];

/**
 * Every variable that `readConfiguration` reads, grouped by subject. A test checks that no variable is missing or
 * superfluous.
 */
export const VARIABLES: readonly Variable[] = OWN_VARIABLES.flatMap((variable) =>
  SECRET_VARIABLES.some((name) => name === variable.name) ? [variable, fileOf(variable)] : [variable],
);

function fileOf({ name }: Variable): Variable {
  return {
    name: `${name}_FILE`,
    fallback: 'none',
    meaning: `file with the value of \`${name}\`, instead of it; other users must not be able to read the file`,
  };
}
