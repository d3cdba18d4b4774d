import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import {
  generateNatsSeeds,
  natsServerConfiguration,
  natsServerFiles,
  type NatsSeeds,
} from '@understudy/agent-protocol/nats-trust';

import type { SecretVariable } from '../../platform/config/variables.js';
import type { Deployment } from './deployment.js';
import { caddyExample, nginxExample } from './proxy-examples.js';

/** The secrets of a control plane, by the variables that name their files. */
export type Secrets = Readonly<Record<SecretVariable, string>>;

/** A file with its path in the folder of the configuration. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a new configuration. The secrets are files of their own. */
const SECRET_FILES: Readonly<Record<SecretVariable, string>> = {
  UNDERSTUDY_DATABASE_URL: 'database-url',
  UNDERSTUDY_REDIS_URL: 'redis-url',
  UNDERSTUDY_NATS_OPERATOR_SEED: 'nats-operator-seed',
  UNDERSTUDY_NATS_ACCOUNT_SEED: 'nats-account-seed',
  UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: 'nats-agent-account-seed',
  UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: 'nats-system-account-seed',
  UNDERSTUDY_OPS_PASSWORD: 'ops-password',
  UNDERSTUDY_SECRETS_KEY: 'secrets-key',
};

/** Creates all secrets that the control plane itself chooses, from the system's CSPRNG. */
export function newSecrets(urls: { readonly database: string; readonly redis: string }): Secrets {
  return {
    UNDERSTUDY_DATABASE_URL: urls.database,
    UNDERSTUDY_REDIS_URL: urls.redis,
    ...seedVariables(generateNatsSeeds()),
    UNDERSTUDY_OPS_PASSWORD: newPassword(),
    UNDERSTUDY_SECRETS_KEY: randomBytes(32).toString('hex'),
  };
}

/** Returns the variables of the NATS seeds. */
export function seedVariables(seeds: NatsSeeds) {
  return {
    UNDERSTUDY_NATS_OPERATOR_SEED: seeds.operator,
    UNDERSTUDY_NATS_ACCOUNT_SEED: seeds.account,
    UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: seeds.agentAccount,
    UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: seeds.systemAccount,
  };
}

/** Returns a new password of 32 letters and digits. */
export function newPassword(): string {
  return randomBytes(16).toString('hex');
}

/** Returns the variables that are not secret. */
export function plainVariables(deployment: Deployment): Readonly<Record<string, string>> {
  const { publicUrl, port, opsPort, natsUrl, natsPublicUrl, caFile, allowPlaintext } = deployment;
  const isProxied = publicUrl.startsWith('https:');
  return {
    UNDERSTUDY_PUBLIC_URL: publicUrl,
    UNDERSTUDY_HOST: '127.0.0.1',
    UNDERSTUDY_PORT: String(port),
    UNDERSTUDY_OPS_PORT: String(opsPort),
    ...(isProxied ? { UNDERSTUDY_TRUSTED_PROXIES: '127.0.0.1' } : {}),
    UNDERSTUDY_NATS_URL: natsUrl,
    UNDERSTUDY_NATS_PUBLIC_URL: natsPublicUrl,
    ...(caFile === undefined ? {} : { UNDERSTUDY_CA_FILE: caFile }),
    ...(allowPlaintext.length === 0 ? {} : { UNDERSTUDY_ALLOW_PLAINTEXT: allowPlaintext.join(',') }),
  };
}

/** Returns all files of the configuration of a deployment. */
export async function configurationFiles(deployment: Deployment, secrets: Secrets): Promise<NewFile[]> {
  const proxy = {
    host: new URL(deployment.publicUrl).host,
    apiPort: deployment.port,
    ...(deployment.usesWebSocket ? { webSocketPort: deployment.websocketPort } : {}),
    certificate: deployment.proxyTls,
    requestsCertificate: deployment.requestsCertificate,
  };
  const natsFiles = await natsServerFiles({
    operator: secrets.UNDERSTUDY_NATS_OPERATOR_SEED,
    account: secrets.UNDERSTUDY_NATS_ACCOUNT_SEED,
    agentAccount: secrets.UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED,
    systemAccount: secrets.UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED,
  });
  const names = Object.entries(SECRET_FILES) as [SecretVariable, string][];
  return [
    ...names.map(([variable, name]) => ({ path: `secrets/${name}`, text: `${secrets[variable]}\n` })),
    { path: 'control-plane.env', text: variablesFile(deployment) },
    { path: 'nats.conf', text: natsServerConfiguration(natsFiles, deployment.natsServer) },
    { path: 'nginx.conf', text: nginxExample(proxy) },
    { path: 'Caddyfile', text: caddyExample(proxy) },
  ];
}

function variablesFile(deployment: Deployment): string {
  const files = Object.entries(SECRET_FILES).map(([variable, name]): [string, string] => [
    `${variable}_FILE`,
    join(deployment.folder, 'secrets', name),
  ]);
  const lines = [...Object.entries(plainVariables(deployment)), ...files].map(
    ([name, value]) => `${name}=${quoted(value)}`,
  );
  return `# Variables of the control plane, for the option --config. The secrets are in the files that the variables\n# *_FILE name.\n${lines.join('\n')}\n`;
}

/** Values contain no quotes and no line breaks, because the options that they come from are checked. */
function quoted(value: string): string {
  return /^[\w./:@,+-]+$/.test(value) ? value : `'${value}'`;
}
