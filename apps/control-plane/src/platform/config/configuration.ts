import type { NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import { type Environment, EnvironmentReader, readAll, readerOf } from '@understudy/operator-commands';
import { type OutboundSettings, readOutboundSettings } from '@understudy/outbound';

import { CertificateError, readCertificatePair, type ServerCertificate } from './certificate-files.js';
import { DEFAULT_PLAN_LIMITS, withChanges, type PlanLimitChanges } from './plans.js';
import { DEFAULTS, shareOfOneAddress, type DatabaseConfiguration, type Settings } from './sections.js';
import {
  DatabaseUrlError,
  isPlaintextDatabase,
  isPlaintextRedis,
  readDatabaseUrl,
  type PlaintextService,
} from './service-encryption.js';
import { SECTION_VARIABLES, VARIABLES } from './variables.js';

/** Gives a class the sections as properties, which its constructor assigns. */
const SectionsBase = Object as unknown as new () => Settings;

/**
 * The complete configuration of the process. It is read once and frozen. This class is its injection token in
 * Nest. A feature should use only the sections that concern it.
 */
export class Configuration extends SectionsBase {
  constructor({ logLevel, planLimits, ...values }: ConfigurationValues) {
    super();
    const { http, nats, mockEndpoints, webhooks } = values;
    const given = {
      outbound: {},
      ...values,
      http: { maxConnectionsPerAddress: shareOfOneAddress(http.maxConnections), ...http },
      mockEndpoints: { url: `${http.publicUrl}/mock`, ...mockEndpoints },
      webhooks: { secretsKey: nats.operatorSeed, ...webhooks },
    };
    for (const [name, section] of Object.entries<object>({ ...DEFAULTS, ...given }))
      Reflect.set(this, name, Object.freeze({ ...Reflect.get(DEFAULTS, name), ...section }));
    Object.assign(this, { logLevel, planLimits: withChanges(DEFAULT_PLAN_LIMITS, planLimits) });
    Object.freeze(this);
  }
}

/** Sections that need no value. */
type OptionalSection = Exclude<keyof typeof DEFAULTS, 'http' | 'ops'>;

export interface ConfigurationValues
  extends
    Pick<Settings, 'database' | 'redis' | 'nats' | 'logLevel'>,
    Partial<{ readonly [Section in OptionalSection]: Partial<Settings[Section]> }> {
  readonly http: Pick<Settings['http'], 'host' | 'port' | 'publicUrl'> & Partial<Settings['http']>;
  readonly ops: Pick<Settings['ops'], 'user' | 'password'> & Partial<Settings['ops']>;
  readonly outbound?: OutboundSettings;
  readonly planLimits?: PlanLimitChanges;
}

/** Returns the environment variables of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Reads the complete configuration of the server.
 * @throws ConfigurationError with all problems. The message contains names of variables, but never their values.
 */
export function readConfiguration(env: Environment = process.env): Configuration {
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
export function readDatabaseConfiguration(env: Environment = process.env): DatabaseConfiguration {
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
export function readNatsSeeds(env: Environment = process.env): NatsSeeds {
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
export function readPublicUrl(env: Environment = process.env): string {
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
