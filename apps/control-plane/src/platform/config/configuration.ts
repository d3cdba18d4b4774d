import type { NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import { EnvironmentReader, type LogLevel, readAll, readerOf } from '@understudy/operator-commands';
import { type OutboundSettings, readOutboundSettings } from '@understudy/outbound';

import { CertificateError, readCertificatePair, type ServerCertificate } from './certificate-files.js';
import { DEFAULT_PLAN_LIMITS, withChanges, type AllPlanLimits, type PlanLimitChanges } from './plans.js';
import {
  AGENT_LINK_DEFAULTS,
  GENERATION_DEFAULTS,
  GENERATORS_DEFAULTS,
  HTTP_DEFAULTS,
  IDEMPOTENCY_DEFAULTS,
  MOCK_ENDPOINTS_DEFAULTS,
  MODELS_DEFAULTS,
  OIDC_DEFAULTS,
  OPS_DEFAULTS,
  RATE_LIMITS_DEFAULTS,
  RETENTION_DEFAULTS,
  SNAPSHOTS_DEFAULTS,
  SYNC_JOBS_DEFAULTS,
  USAGE_DEFAULTS,
  WEBHOOKS_DEFAULTS,
  shareOfOneAddress,
  type AgentLinkConfiguration,
  type DatabaseConfiguration,
  type GenerationConfiguration,
  type HttpConfiguration,
  type MockEndpointsConfiguration,
  type NatsConfiguration,
  type OpsConfiguration,
  type RateLimitsConfiguration,
  type RedisConfiguration,
  type RetentionConfiguration,
  type WebhooksConfiguration,
} from './sections.js';
import {
  DatabaseUrlError,
  isPlaintextDatabase,
  isPlaintextRedis,
  readDatabaseUrl,
  type PlaintextService,
} from './service-encryption.js';
import { SECTION_VARIABLES, VARIABLES } from './variables.js';

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
  readonly syncJobs: typeof SYNC_JOBS_DEFAULTS;
  readonly generation: GenerationConfiguration;
  readonly planLimits: AllPlanLimits;
  readonly usage: typeof USAGE_DEFAULTS;
  readonly rateLimits: RateLimitsConfiguration;
  readonly models: typeof MODELS_DEFAULTS;
  readonly idempotency: typeof IDEMPOTENCY_DEFAULTS;
  readonly generators: typeof GENERATORS_DEFAULTS;
  readonly mockEndpoints: MockEndpointsConfiguration;
  readonly webhooks: WebhooksConfiguration;
  readonly snapshots: typeof SNAPSHOTS_DEFAULTS;
  readonly retention: RetentionConfiguration;
  readonly oidc: typeof OIDC_DEFAULTS;
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

/** Sections that need no value. */
type OptionalSection = Exclude<
  keyof Configuration,
  'http' | 'database' | 'redis' | 'nats' | 'outbound' | 'ops' | 'planLimits' | 'logLevel'
>;

export interface ConfigurationValues
  extends
    Pick<Configuration, 'database' | 'redis' | 'nats' | 'logLevel'>,
    Partial<{ readonly [Section in OptionalSection]: Partial<Configuration[Section]> }> {
  readonly http: Pick<HttpConfiguration, 'host' | 'port' | 'publicUrl'> & Partial<HttpConfiguration>;
  readonly ops: Pick<OpsConfiguration, 'user' | 'password'> & Partial<OpsConfiguration>;
  readonly outbound?: OutboundSettings;
  readonly planLimits?: PlanLimitChanges;
}

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
  const read = readerOf(reader);
  const natsUrl = read(VARIABLES.natsUrl);
  const certificate = readCertificate(reader);
  const { host, port, ownUrl, publicUrl } = readAddresses(reader, certificate !== undefined);
  const outbound = readOutboundSettings(reader.environment, reader.problems);
  const plaintext = read(VARIABLES.allowPlaintext);
  const operatorSeed = read(VARIABLES.operatorSeed);
  const maxConnections = read(VARIABLES.maxConnections);
  const values: ConfigurationValues = {
    http: {
      host,
      port,
      publicUrl,
      trustedProxies: read(VARIABLES.trustedProxies),
      ...(certificate ? { certificate } : {}),
      requestTimeoutMs: read(VARIABLES.requestTimeoutMs),
      maxConnections,
      maxConnectionsPerAddress: read(VARIABLES.maxConnectionsPerAddress, shareOfOneAddress(maxConnections)),
    },
    database: { url: databaseUrl(reader, plaintext), outbound },
    redis: { url: redisUrl(reader, plaintext), outbound },
    nats: {
      url: natsUrl,
      publicUrl: read(VARIABLES.natsPublicUrl, natsUrl),
      operatorSeed,
      accountSeed: read(VARIABLES.accountSeed),
      agentAccountSeed: read(VARIABLES.agentAccountSeed),
      systemAccountSeed: read(VARIABLES.systemAccountSeed),
    },
    outbound,
    agentLink: readAll(reader, SECTION_VARIABLES.agentLink),
    ops: {
      host: read(VARIABLES.opsHost),
      port: read(VARIABLES.opsPort),
      user: read(VARIABLES.opsUser),
      password: read(VARIABLES.opsPassword),
      maxConnectionsPerAddress: read(VARIABLES.opsMaxConnectionsPerAddress),
    },
    generation: readAll(reader, SECTION_VARIABLES.generation),
    syncJobs: readAll(reader, SECTION_VARIABLES.syncJobs),
    rateLimits: readAll(reader, SECTION_VARIABLES.rateLimits),
    mockEndpoints: { url: withoutSlash(read(VARIABLES.mockUrl, `${publicUrl || ownUrl}/mock`)) },
    retention: readAll(reader, SECTION_VARIABLES.retention),
    planLimits: read(VARIABLES.planLimits),
    webhooks: {
      ...readAll(reader, SECTION_VARIABLES.webhooks),
      secretsKey: read(VARIABLES.secretsKey, operatorSeed),
    },
    oidc: readAll(reader, SECTION_VARIABLES.oidc),
    logLevel: read(VARIABLES.logLevel),
  };
  assertComplete(reader);
  return new Configuration(values);
}

/** Reads only the database section, for commands that run once and exit. @throws ConfigurationError */
export function readDatabaseConfiguration(
  env: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseConfiguration {
  const reader = new EnvironmentReader(env);
  const plaintext = readerOf(reader)(VARIABLES.allowPlaintext);
  const database = {
    url: databaseUrl(reader, plaintext),
    outbound: readOutboundSettings(reader.environment, reader.problems),
  };
  assertComplete(reader);
  return Object.freeze(database);
}

/** Reads only the seeds, for a command that needs no other variable. @throws ConfigurationError */
export function readNatsSeeds(env: Readonly<Record<string, string | undefined>> = process.env): NatsSeeds {
  const reader = new EnvironmentReader(env);
  const read = readerOf(reader);
  const seeds = {
    operator: read(VARIABLES.operatorSeed),
    account: read(VARIABLES.accountSeed),
    agentAccount: read(VARIABLES.agentAccountSeed),
    systemAccount: read(VARIABLES.systemAccountSeed),
  };
  assertComplete(reader);
  return seeds;
}

/**
 * Reads only the URL at which clients reach the server, for commands that print links.
 * @throws ConfigurationError
 */
export function readPublicUrl(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const reader = new EnvironmentReader(env);
  const { publicUrl } = readAddresses(reader, readerOf(reader)(VARIABLES.tlsCertFile) !== '');
  assertComplete(reader);
  return publicUrl;
}

/** `ownUrl` is the URL of the listener, which is also the default of `publicUrl`. */
function readAddresses(reader: EnvironmentReader, isEncrypted: boolean) {
  const read = readerOf(reader);
  const host = read(VARIABLES.host);
  const port = read(VARIABLES.port);
  const ownUrl = `${isEncrypted ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = withoutSlash(read(VARIABLES.publicUrl, ownUrl));
  return { host, port, ownUrl, publicUrl };
}

/** Reads the files once, so that the server does not start with a pair that it cannot use. */
function readCertificate(reader: EnvironmentReader): ServerCertificate | undefined {
  const read = readerOf(reader);
  const certFile = read(VARIABLES.tlsCertFile);
  const keyFile = read(VARIABLES.tlsKeyFile);
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

const CERTIFICATE_CHECK_MS = 5_000;

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function databaseUrl(reader: EnvironmentReader, plaintext: readonly PlaintextService[]): string {
  const url = readerOf(reader)(VARIABLES.databaseUrl);
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
  const url = readerOf(reader)(VARIABLES.redisUrl);
  if (url === '' || !isPlaintextRedis(url) || plaintext.includes('redis')) return url;
  return reader.problem(
    'UNDERSTUDY_REDIS_URL must start with rediss://: Redis on another machine is reached in plaintext only if UNDERSTUDY_ALLOW_PLAINTEXT names redis',
    url,
  );
}

/** The environment has missing or invalid variables. The message has one line for each variable, without its value. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is incomplete or invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

function assertComplete({ problems }: EnvironmentReader): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

export * from './sections.js';
