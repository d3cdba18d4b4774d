import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { askSecret, readInputLines, readSecretFile, SecretFileError } from '@understudy/operator-commands';

import { shellWord } from '../../agents/registry/enrolment/install-lines.js';
import { ConfigurationError, readConfiguration } from '../../platform/config/configuration.js';
import { runCheck } from '../check/run-check.js';
import { configurationFiles, newSecrets, plainVariables } from './configuration-files.js';
import { deploymentOf, type Deployment, type DeploymentOptions } from './deployment.js';
import { refuseExisting, writeFolder } from './write-folder.js';

/** The sources of the URLs that contain passwords. */
export interface UrlSources {
  readonly databaseUrlFile?: string;
  readonly redisUrlFile?: string;
  readonly json?: true;
}

/**
 * Writes the configuration of a deployment, checks the services, and prints the next commands.
 * @throws ConfigurationError, FolderError or Error if nothing is written
 * @returns the exit code: 0 no check failed, 1 a check failed
 */
export async function runInit(sources: UrlSources, options: DeploymentOptions): Promise<number> {
  const { folder } = options;
  refuseExisting(folder); // before the prompt
  const deployment = deploymentOf(options);
  const secrets = newSecrets(await readUrls(sources));
  readConfiguration({ ...plainVariables(deployment), ...secrets });
  const files = await configurationFiles(deployment, secrets);
  writeFolder(folder, files);
  const names = files.map(({ path }) => join(folder, path));
  const variables = files.find(({ path }) => path === 'control-plane.env')?.text ?? '';
  const print = (text: string): void => void process.stdout.write(text);
  if (!sources.json) print(`Created these files. Only this user can read them.\n${indented(names)}\n\n`);
  let checks = '';
  const exitCode = await runCheck({
    environment: parseEnv(variables),
    configFile: join(folder, 'control-plane.env'),
    startNats: startNats(folder),
    json: sources.json ?? false,
    write: sources.json ? (text) => (checks += text) : print,
    note: (text) => process.stderr.write(text),
  });
  if (sources.json)
    print(`${JSON.stringify({ folder, files: names, checks: JSON.parse(checks) as unknown })}\n`);
  else print(`\n${nextSteps(deployment, exitCode === 0)}`);
  return exitCode;
}

async function readUrls({ databaseUrlFile, redisUrlFile }: UrlSources) {
  const lines = [databaseUrlFile, redisUrlFile].includes('-') ? await readInputLines() : [];
  const next = (option: string): string => {
    const line = lines.shift()?.trim() ?? '';
    if (line === '')
      throw new ConfigurationError([`${option} is -, but the standard input has no line for it`]);
    return line;
  };
  const read = (option: string, file: string): string =>
    file === '-' ? next(option) : secretFrom(option, file);
  const database =
    databaseUrlFile === undefined ? await askForDatabase() : read('--database-url-file', databaseUrlFile);
  const redis = redisUrlFile === undefined ? REDIS_HERE : read('--redis-url-file', redisUrlFile);
  return { database, redis };
}

function secretFrom(option: string, file: string): string {
  try {
    return readSecretFile(option, file);
  } catch (error) {
    if (error instanceof SecretFileError) throw new ConfigurationError([error.message]);
    throw error;
  }
}

async function askForDatabase(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new ConfigurationError(['--database-url-file is required if the standard input is not a terminal']);
  return askSecret('URL of PostgreSQL, postgresql://user:password@host:5432/database (not shown): ');
}

function startNats(folder: string): string {
  return `nats-server -c ${shellWord(join(folder, 'nats.conf'))}`;
}

/** Returns the commands that lead to a running control plane, in order. */
function nextSteps(
  { folder, proxyTls, publicUrl, requestsCertificate }: Deployment,
  isFine: boolean,
): string {
  const program = `understudy-control-plane --config ${shellWord(join(folder, 'control-plane.env'))}`;
  const steps = [
    ...(isFine ? [] : ['Correct the problems above. The files stay; edit control-plane.env and secrets/.']),
    `Start NATS: ${startNats(folder)}`,
    ...(publicUrl.startsWith('https:')
      ? [
          `Start a reverse proxy with ${join(folder, 'nginx.conf')} or ${join(folder, 'Caddyfile')}.` +
            (requestsCertificate ? ` nginx needs ${proxyTls.certFile} and ${proxyTls.keyFile}.` : ''),
        ]
      : []),
    `Check again: ${program} check`,
    `Create the schema: ${program} migrate`,
    `Create the first organisation: ${program} bootstrap --org "Acme"`,
    `Start the server: ${program} start` +
      (folder === SERVICE_FOLDER ? ', or install a service: understudy-control-plane service install' : ''),
  ];
  return `Next steps:\n${steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')}\n`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

/** The folder that `service install` uses. */
const SERVICE_FOLDER = '/etc/understudy';
const REDIS_HERE = 'redis://127.0.0.1:6379';
