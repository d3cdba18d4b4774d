import {
  type DescribedVariable,
  type Form,
  integer,
  LOG_LEVELS,
  oneOf,
  seconds,
  text,
  variable,
} from '@understudy/operator-commands';
import { outboundVariables } from '@understudy/outbound';

import {
  json,
  listOfSeconds,
  natsUrl,
  networks,
  port,
  secretText,
  secretUrl,
  seed,
  someOf,
  webUrl,
} from './forms.js';
import { OIDC_VARIABLE, type OidcProviderSettings, readOidcProviders } from './oidc-providers.js';
import { type PlanLimitChanges, readPlanLimitChanges } from './plans.js';
import { DEFAULTS, shareOfOneAddress } from './sections.js';
import { PLAINTEXT_SERVICES } from './service-encryption.js';

const oidcProviders: Form<readonly OidcProviderSettings[]> = { fallback: 'none', read: readOidcProviders };
const planLimits = json<PlanLimitChanges>(
  'a JSON object like {"free":{"requests_per_minute":120,"sync_jobs":10}}',
  readPlanLimitChanges,
  {},
);

const MAX_CONNECTIONS = 1_000_000;
const MAX_REQUESTS = 999_999_999;

/** The variables of sections in which each setting has a default, by section and setting. */
export const SECTION_VARIABLES = {
  agentLink: {
    streamReplicas: variable(
      'UNDERSTUDY_NATS_STREAM_REPLICAS',
      integer(1, 5, DEFAULTS.agentLink.streamReplicas),
      'NATS servers that keep a copy of each stream, 1 to 5',
    ),
    awayAfterMs: variable(
      'UNDERSTUDY_AGENT_AWAY_AFTER_SECONDS',
      seconds(60, 604_800, DEFAULTS.agentLink.awayAfterMs),
      'seconds without a heartbeat after which the webhook event `agent.away` is sent, 60 to 604,800',
    ),
  },
  generation: {
    threads: variable(
      'UNDERSTUDY_GENERATION_THREADS',
      integer(1, 256, DEFAULTS.generation.threads, 'depends on the number of cores'),
      'worker threads that one organisation can use, 1 to 256',
    ),
  },
  syncJobs: {
    leaseMs: variable(
      'UNDERSTUDY_LEASE_SECONDS',
      seconds(5, 3_600, DEFAULTS.syncJobs.leaseMs),
      'seconds without a heartbeat after which another agent gets the job, 5 to 3,600',
    ),
    graceSeconds: variable(
      'UNDERSTUDY_GRACE_PERIOD_SECONDS',
      integer(0, 86_400, DEFAULTS.syncJobs.graceSeconds, `${DEFAULTS.syncJobs.graceSeconds} (4 hours)`),
      'grace period: further seconds without a heartbeat for which an agent keeps a job that no other agent can run, 0 to 86,400',
    ),
  },
  rateLimits: {
    anonymousPerMinute: variable(
      'UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE',
      integer(1, MAX_REQUESTS, DEFAULTS.rateLimits.anonymousPerMinute),
      'requests without a valid token that one address may send in a minute',
    ),
    sessionPerMinute: variable(
      'UNDERSTUDY_SESSION_REQUESTS_PER_MINUTE',
      integer(1, MAX_REQUESTS, DEFAULTS.rateLimits.sessionPerMinute),
      'calls that one session of the dashboard may send in a minute',
    ),
    sessionWritesPerMinute: variable(
      'UNDERSTUDY_SESSION_WRITES_PER_MINUTE',
      integer(1, MAX_REQUESTS, DEFAULTS.rateLimits.sessionWritesPerMinute),
      'calls of these that may change something',
    ),
    redisTimeoutMs: variable(
      'UNDERSTUDY_RATE_LIMIT_ANSWER_MS',
      integer(1, 60_000, DEFAULTS.rateLimits.redisTimeoutMs),
      'milliseconds that a process waits for Redis before it counts requests by itself',
    ),
  },
  retention: {
    auditDays: variable(
      'UNDERSTUDY_AUDIT_KEEP_DAYS',
      integer(30, 36_500, DEFAULTS.retention.auditDays),
      'days that audit entries are kept, at least 30',
    ),
    endedDays: variable(
      'UNDERSTUDY_ENDED_KEEP_DAYS',
      integer(1, 36_500, DEFAULTS.retention.endedDays),
      'days for which rows of expired or revoked tokens, of deleted snapshots, and definitions of ended jobs are kept',
    ),
  },
  webhooks: {
    allowedNetworks: variable(
      'UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS',
      networks,
      'private networks that webhooks may be sent to, separated by commas',
    ),
    retryDelaysMs: variable(
      'UNDERSTUDY_WEBHOOK_RETRY_SECONDS',
      listOfSeconds(7 * 86_400, DEFAULTS.webhooks.retryDelaysMs),
      'seconds before each attempt of a delivery, separated by commas',
    ),
    timeoutMs: variable(
      'UNDERSTUDY_WEBHOOK_TIMEOUT_SECONDS',
      seconds(1, 60, DEFAULTS.webhooks.timeoutMs),
      'seconds that one attempt of a delivery may take, 1 to 60',
    ),
  },
  oidc: {
    providers: variable(
      OIDC_VARIABLE,
      oidcProviders,
      'issuers of OpenID Connect through which members can sign in, as a JSON array',
    ),
  },
};

/**
 * Every variable that the control plane reads, by subject. `readOutboundSettings` reads those without a form. A test
 * checks that none is missing.
 */
export const VARIABLES = {
  databaseUrl: variable(
    'UNDERSTUDY_DATABASE_URL',
    secretUrl('postgresql:', 'postgres:'),
    'PostgreSQL of the control plane: `postgresql://user:password@host:port/database?sslmode=…`; without `sslmode`, `verify-full` for another machine',
  ),
  redisUrl: variable(
    'UNDERSTUDY_REDIS_URL',
    secretUrl('redis:', 'rediss:'),
    'Redis for the work queue: `rediss://…`, or `redis://…` on loopback',
  ),
  allowPlaintext: variable(
    'UNDERSTUDY_ALLOW_PLAINTEXT',
    someOf(PLAINTEXT_SERVICES),
    'services on other machines that may be reached without TLS, separated by commas: `postgresql`, `redis`',
  ),
  natsUrl: variable(
    'UNDERSTUDY_NATS_URL',
    natsUrl('required'),
    'address of NATS for the control plane: `tls://host:4222`, `wss://host/path`, or `nats://…` on loopback',
  ),
  natsPublicUrl: variable(
    'UNDERSTUDY_NATS_PUBLIC_URL',
    natsUrl('`UNDERSTUDY_NATS_URL`'),
    'address of NATS for agents, by the same rule',
  ),
  ...outboundVariables(
    'NATS, PostgreSQL, Redis, OpenID Connect issuers',
    'NATS over `wss://` and for OpenID Connect issuers',
    '; webhooks do not use it',
  ),
  operatorSeed: variable(
    'UNDERSTUDY_NATS_OPERATOR_SEED',
    seed('SO'),
    'nkey seed of the NATS operator (`SO…`)',
  ),
  accountSeed: variable(
    'UNDERSTUDY_NATS_ACCOUNT_SEED',
    seed('SA'),
    "nkey seed of the control plane's own account (`SA…`)",
  ),
  agentAccountSeed: variable(
    'UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED',
    seed('SA'),
    'nkey seed of the account of the agents (`SA…`)',
  ),
  systemAccountSeed: variable(
    'UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED',
    seed('SA'),
    'nkey seed of the NATS system account (`SA…`)',
  ),
  ...SECTION_VARIABLES.agentLink,
  host: variable('UNDERSTUDY_HOST', text('127.0.0.1'), 'address of the API listener'),
  port: variable('UNDERSTUDY_PORT', port(8080), 'port of the API listener'),
  tlsCertFile: variable(
    'UNDERSTUDY_TLS_CERT_FILE',
    text('', 'none (plain HTTP)'),
    'PEM file with the certificate of the API listener and its intermediate authorities',
  ),
  tlsKeyFile: variable(
    'UNDERSTUDY_TLS_KEY_FILE',
    text('', 'none'),
    'PEM file with the private key of this certificate, without a password',
  ),
  publicUrl: variable(
    'UNDERSTUDY_PUBLIC_URL',
    webUrl('protocol, host and port'),
    'address at which clients and agents reach the API, without `/v1`',
  ),
  mockUrl: variable(
    'UNDERSTUDY_MOCK_URL',
    webUrl('`<public URL>/mock`'),
    'address at which clients reach mock endpoints',
  ),
  trustedProxies: variable(
    'UNDERSTUDY_TRUSTED_PROXIES',
    networks,
    'addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas',
  ),
  requestTimeoutMs: variable(
    'UNDERSTUDY_REQUEST_TIMEOUT_SECONDS',
    seconds(1, 3_600, DEFAULTS.http.requestTimeoutMs),
    'seconds within which a whole request must arrive, 1 to 3,600',
  ),
  maxConnections: variable(
    'UNDERSTUDY_MAX_CONNECTIONS',
    integer(1, MAX_CONNECTIONS, DEFAULTS.http.maxConnections),
    'maximum number of open connections to the API; further connections are closed',
  ),
  maxConnectionsPerAddress: variable(
    'UNDERSTUDY_MAX_CONNECTIONS_PER_ADDRESS',
    integer(1, MAX_CONNECTIONS, shareOfOneAddress(), 'a quarter of `UNDERSTUDY_MAX_CONNECTIONS`'),
    'maximum number of open connections from one address, or from one /64 network of IPv6',
  ),
  opsHost: variable('UNDERSTUDY_OPS_HOST', text(DEFAULTS.ops.host), 'address of the operations listener'),
  opsPort: variable('UNDERSTUDY_OPS_PORT', port(DEFAULTS.ops.port), 'port of the operations listener'),
  opsMaxConnectionsPerAddress: variable(
    'UNDERSTUDY_OPS_MAX_CONNECTIONS_PER_ADDRESS',
    integer(1, DEFAULTS.ops.maxConnections, DEFAULTS.ops.maxConnectionsPerAddress),
    `maximum number of open connections from one address to the operations listener, of ${DEFAULTS.ops.maxConnections} in total`,
  ),
  opsUser: variable('UNDERSTUDY_OPS_USER', text('ops'), 'user of the ops page'),
  opsPassword: variable(
    'UNDERSTUDY_OPS_PASSWORD',
    secretText(16),
    'password of the ops page, at least 16 characters',
  ),
  ...SECTION_VARIABLES.generation,
  ...SECTION_VARIABLES.syncJobs,
  ...SECTION_VARIABLES.rateLimits,
  planLimits: variable(
    'UNDERSTUDY_PLAN_LIMITS',
    planLimits,
    'changed limits of plans as JSON: `{"free": {"sync_jobs": 10}}`',
  ),
  ...SECTION_VARIABLES.retention,
  ...SECTION_VARIABLES.webhooks,
  secretsKey: variable(
    'UNDERSTUDY_SECRETS_KEY',
    secretText(32, '`UNDERSTUDY_NATS_OPERATOR_SEED`'),
    'key that encrypts webhook secrets, at least 32 characters. Set it: with the default, a new operator seed makes the stored secrets unreadable',
  ),
  ...SECTION_VARIABLES.oidc,
  logLevel: variable(
    'UNDERSTUDY_LOG_LEVEL',
    oneOf(LOG_LEVELS, 'info'),
    `lowest level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}`,
  ),
} satisfies Readonly<Record<string, DescribedVariable>>;

type Variables = typeof VARIABLES;
/** The variables whose values may be in files. The variable `<name>_FILE` then has the path. */
export type SecretVariable = {
  [K in keyof Variables]: Variables[K] extends { readonly isSecret: true; readonly name: infer N }
    ? N
    : never;
}[keyof Variables];

const ALL: readonly (DescribedVariable & { readonly isSecret?: true })[] = Object.values(VARIABLES);

export const SECRET_VARIABLES = ALL.filter(({ isSecret }) => isSecret).map(
  ({ name }) => name as SecretVariable,
);

/** Every variable, and after each secret the one for its file. */
export const DESCRIBED_VARIABLES: readonly DescribedVariable[] = ALL.flatMap((each) =>
  each.isSecret ? [each, fileOf(each)] : [each],
);

function fileOf({ name }: DescribedVariable): DescribedVariable {
  return {
    name: `${name}_FILE`,
    fallback: 'none',
    meaning: `file with the value of \`${name}\`, instead of it; other users must not be able to read the file`,
  };
}
