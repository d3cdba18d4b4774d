import { writeFileSync } from 'node:fs';

import { isLoopback, type NatsServerOptions } from '@understudy/agent-protocol/nats-trust';
import { Command } from 'commander';

import { readNatsSeeds } from '../../platform/config/configuration.js';
import { readAbsolutePath, readPort } from '../arguments.js';

interface Options {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly host?: string;
  readonly port: number;
  readonly websocketPort?: number;
  readonly websocketHost: string;
  readonly websocketTls?: true;
  readonly monitoringPort: number;
}

/** Returns the command that writes the configuration of nats-server from the four seeds. */
export function natsConfigurationCommand(): Command {
  return new Command('nats-configuration')
    .description('write the configuration of nats-server from the four NATS seeds')
    .argument('<file>', 'the file to write; an existing file is not changed')
    .argument('<data-folder>', 'absolute path of the data folder of the server', readAbsolutePath)
    .option(
      '--tls-cert <file>',
      'certificate of the server in PEM, with its intermediate authorities',
      readAbsolutePath,
    )
    .option('--tls-key <file>', 'private key of the certificate', readAbsolutePath)
    .option(
      '--host <address>',
      'address of the listener (default: 0.0.0.0 with a certificate, otherwise 127.0.0.1)',
    )
    .option('--port <port>', 'port of the listener', readPort, 4222)
    .option('--websocket-port <port>', 'add a listener for WebSocket', readPort)
    .option('--websocket-host <address>', 'address of the listener for WebSocket', '127.0.0.1')
    .option(
      '--websocket-tls',
      'use the certificate for WebSocket; otherwise a reverse proxy on this machine ends TLS',
    )
    .option(
      '--monitoring-port <port>',
      'port on 127.0.0.1 at which the server reports its state',
      readPort,
      8222,
    )
    .addHelpText(
      'after',
      '\nPaths are those that the server sees. The command never replaces a file: a newly signed configuration would\n' +
        'undo the revocations of agents.\n' +
        '\nExample:\n  $ understudy-control-plane nats-configuration nats.conf /var/lib/nats --websocket-port 9222',
    )
    .action(async (file: string, dataFolder: string, options: Options, command: Command) => {
      const server = serverOptions(dataFolder, options, command);
      const { natsServerConfiguration, natsServerFiles } =
        await import('@understudy/agent-protocol/nats-trust');
      const seeds = readNatsSeeds();
      writeNew(file, natsServerConfiguration(await natsServerFiles(seeds), server));
    });
}

function serverOptions(dataFolder: string, options: Options, command: Command): NatsServerOptions {
  const { tlsCert, tlsKey, host, port, websocketPort, websocketHost, websocketTls, monitoringPort } = options;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    command.error('error: expected --tls-cert and --tls-key together');
  const tls =
    tlsCert === undefined || tlsKey === undefined ? {} : { tls: { certFile: tlsCert, keyFile: tlsKey } };
  if (websocketTls && !tls.tls) command.error('error: --websocket-tls needs --tls-cert and --tls-key');
  if (websocketPort !== undefined && !websocketTls && !isLoopback(websocketHost))
    command.error('error: expected a loopback address for --websocket-host, or --websocket-tls');
  const webSocket = { host: websocketHost, port: websocketPort ?? 0, ...(websocketTls ? tls : {}) };
  return {
    host: host ?? (tls.tls ? '0.0.0.0' : '127.0.0.1'),
    port,
    dataFolder,
    ...tls,
    ...(websocketPort === undefined ? {} : { webSocket }),
    monitoringPort,
  };
}

/** The file contains claims but no seeds. Any user may read it, because the server may run as any user. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o644, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    process.stderr.write(`${file} exists and was not changed.\n`);
  }
}
