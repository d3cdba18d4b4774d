import type { NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import {
  type Environment,
  type ExternalServices,
  LocalSystemError,
  probeNats,
  probePostgres,
  probeRedis,
} from '@understudy/local-system';

/**
 * Reads the URLs of services from environment variables and connects to each service. The stack uses these services,
 * but never starts or stops them. If
 * UNDERSTUDY_DATABASE_URL has a database name, the control plane uses that database. Otherwise the stack
 * creates roles and a database for the control plane on that server, so the user in the URL must be allowed to
 * create both.
 */
export async function externalServices(env: Environment = process.env): Promise<ExternalServices> {
  const database = await named(env, 'UNDERSTUDY_DATABASE_URL', ['postgres:', 'postgresql:'], probePostgres);
  const redisUrl = await named(env, 'UNDERSTUDY_REDIS_URL', ['redis:', 'rediss:'], probeRedis);
  const natsUrl = await named(env, 'UNDERSTUDY_NATS_URL', ['nats:', 'tls:'], probeNats);
  return {
    ...(database && { postgres: splitDatabase(database) }),
    ...(redisUrl && { redisUrl }),
    ...(natsUrl && { nats: { url: natsUrl, seeds: seedsOf(env) } }),
  };
}

async function named(
  env: Environment,
  variable: string,
  protocols: readonly string[],
  probe: (url: string) => Promise<void>,
): Promise<string | undefined> {
  const url = env[variable] ?? '';
  if (url === '') return undefined;
  if (!URL.canParse(url) || !protocols.includes(new URL(url).protocol))
    throw new LocalSystemError('configuration.invalid', `${variable} must be a ${protocols[0] ?? ''}// URL`);
  try {
    await probe(url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || cause.name : 'it does not respond';
    const hint = `start that service, or unset ${variable} to start a private one`;
    const message = `the service in ${variable} cannot be used: ${why}`;
    throw new LocalSystemError('service.not_ready', message, hint, { cause });
  }
  return url;
}

function splitDatabase(text: string): { adminUrl: string; controlDatabaseUrl?: string } {
  const url = new URL(text);
  const named = url.pathname.length > 1;
  url.pathname = '';
  return { adminUrl: url.href.replace(/\/(?=$|\?)/, ''), ...(named && { controlDatabaseUrl: text }) };
}

function seedsOf(env: Environment): NatsSeeds {
  const seed = (variable: string) => {
    const value = env[variable];
    if (value) return value;
    throw new LocalSystemError(
      'configuration.invalid',
      `UNDERSTUDY_NATS_URL is set but ${variable} is not; the control plane needs it to sign credentials of agents for that server`,
      'set UNDERSTUDY_NATS_OPERATOR_SEED, UNDERSTUDY_NATS_ACCOUNT_SEED, UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED and UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED, or unset UNDERSTUDY_NATS_URL',
    );
  };
  return {
    operator: seed('UNDERSTUDY_NATS_OPERATOR_SEED'),
    account: seed('UNDERSTUDY_NATS_ACCOUNT_SEED'),
    agentAccount: seed('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED'),
    systemAccount: seed('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED'),
  };
}
