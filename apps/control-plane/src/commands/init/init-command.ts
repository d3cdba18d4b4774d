import { Command, InvalidArgumentError, Option } from 'commander';

import { PLAINTEXT_SERVICES } from '../../platform/config/service-encryption.js';
import { readAbsolutePath, readPort } from '../arguments.js';
import { publicUrlProblem, type CertificatePaths, type DeploymentOptions } from './deployment.js';

export interface InitOptions extends Omit<DeploymentOptions, 'natsTls' | 'proxyTls'> {
  readonly databaseUrlFile?: string;
  readonly redisUrlFile?: string;
  readonly natsTlsCert?: string;
  readonly natsTlsKey?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly json?: true;
}

/** Returns the command that writes a new configuration into a folder. */
export function initCommand(): Command {
  return new Command('init')
    .description('write a new configuration with new secrets into a folder, and check the services')
    .addOption(
      new Option('--folder <folder>', 'folder to create; it must not exist, or be empty')
        .argParser(readAbsolutePath)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--public-url <url>', 'address at which clients and agents reach the API, without /v1')
        .argParser(readPublicUrl)
        .makeOptionMandatory(),
    )
    .option(
      '--database-url-file <file>',
      'file with the URL of PostgreSQL; - reads a line of the standard input (default: ask)',
    )
    .option(
      '--redis-url-file <file>',
      'file with the URL of Redis; - reads a line of the standard input (default: Redis on this machine)',
    )
    .addOption(
      new Option('--allow-plaintext <services...>', 'services on other machines that are reached without TLS')
        .choices(PLAINTEXT_SERVICES)
        .default([], 'none'),
    )
    .option('--ca-file <file>', 'certificate authorities to trust, in PEM', readAbsolutePath)
    .option('--tls-cert <file>', 'certificate for the examples of reverse proxies', readAbsolutePath)
    .option('--tls-key <file>', 'private key of this certificate', readAbsolutePath)
    .option(
      '--nats-tls-cert <file>',
      'certificate of NATS, as its machine sees the path; NATS then listens on all addresses',
      readAbsolutePath,
    )
    .option('--nats-tls-key <file>', 'private key of this certificate', readAbsolutePath)
    .option('--nats-url <url>', 'address of NATS for the control plane (default: this machine)')
    .option(
      '--nats-public-url <url>',
      'address of NATS for agents (default: /nats of the public URL, or NATS with its certificate)',
    )
    .option('--nats-folder <folder>', 'data folder of NATS', readAbsolutePath, '/var/lib/nats')
    .option('--port <port>', 'port of the API listener', readPort, 8080)
    .option('--ops-port <port>', 'port of the operations listener', readPort, 8081)
    .option('--websocket-port <port>', 'port of NATS for the reverse proxy', readPort, 9222)
    .option('--monitoring-port <port>', 'port on 127.0.0.1 at which NATS reports its state', readPort, 8222)
    .option('--json', 'print one JSON object {folder, files, checks}')
    .addHelpText(
      'after',
      '\nURLs with passwords come from files, from the standard input or from a prompt, because other users of the machine\n' +
        'can see arguments. If both files are -, the first line is the URL of PostgreSQL. The files appear in one step, so an\n' +
        'interrupted command can be repeated. The command never changes a folder that has files in it.\n' +
        '\nExit codes:\n' +
        '  0  no check failed\n' +
        '  1  a check failed, or the folder cannot be used\n' +
        '  2  an argument, an option or a URL is invalid\n' +
        '\nExample:\n  $ understudy-control-plane init --folder /etc/understudy --public-url https://understudy.example.com',
    )
    .action(async (options: InitOptions, command: Command) => {
      const natsTls = certificate(options.natsTlsCert, options.natsTlsKey, '--nats-tls', command);
      if (options.natsUrl?.startsWith('tls:') && natsTls === undefined)
        command.error('error: --nats-url with tls:// needs --nats-tls-cert and --nats-tls-key');
      const proxyTls = certificate(options.tlsCert, options.tlsKey, '--tls', command);
      const { runInit } = await import('./run-init.js');
      const exitCode = await runInit(options, {
        ...options,
        ...(natsTls ? { natsTls } : {}),
        ...(proxyTls ? { proxyTls } : {}),
      });
      process.exit(exitCode); // a check that ran out of time may still hold a connection
    });
}

function certificate(
  certFile: string | undefined,
  keyFile: string | undefined,
  prefix: string,
  command: Command,
): CertificatePaths | undefined {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile !== undefined || keyFile !== undefined)
    command.error(`error: expected ${prefix}-cert and ${prefix}-key together`);
  return undefined;
}

function readPublicUrl(value: string): string {
  const problem = publicUrlProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return new URL(value).origin;
}
