// Writes the configuration of the NATS server from the four seeds. It is written only once: an account claim that is
// signed again would be newer than the revocations that the server has received since, and would replace them.
import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parseArgs } from 'node:util';

import { natsServerConfiguration, natsServerFiles } from '@understudy/nats-trust';

const USAGE = `usage: nats-configuration.mjs <file to write> <data folder of the server> [options]

  --tls-cert FILE
      The certificate of the server in PEM, with its intermediate authorities.
  --tls-key FILE
      The private key of the certificate.
  --host ADDRESS
      The address of the listener. Default: 0.0.0.0 with a certificate, otherwise 127.0.0.1.
  --port PORT
      The port of the listener. Default: 4222.
  --websocket-port PORT
      Adds a listener for WebSocket.
  --websocket-host ADDRESS
      The address of the listener for WebSocket. Default: 127.0.0.1.
  --websocket-tls
      The listener for WebSocket uses the certificate. Without it, a reverse proxy on this machine must end TLS.
  --monitoring-port PORT
      The port on 127.0.0.1 at which the server reports its state. Default: 8222.

All paths are those that the server sees, and must be absolute. An existing file is not changed.`;

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'tls-cert': { type: 'string' },
      'tls-key': { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string', default: '4222' },
      'websocket-port': { type: 'string' },
      'websocket-host': { type: 'string', default: '127.0.0.1' },
      'websocket-tls': { type: 'boolean', default: false },
      'monitoring-port': { type: 'string', default: '8222' },
    },
  });
  const [file, dataFolder, ...rest] = positionals;
  if (!file || !dataFolder || rest.length > 0) throw new Error('expected a file and a data folder');
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error('expected --tls-cert and --tls-key together');
  if (values['websocket-tls'] && certFile === undefined)
    throw new Error('--websocket-tls needs --tls-cert and --tls-key');
  for (const path of [certFile, keyFile])
    if (path !== undefined && !isAbsolute(path))
      throw new Error('expected absolute paths of the certificate and its key');
  const tls = certFile === undefined ? {} : { tls: { certFile, keyFile } };
  const webSocket = {
    host: values['websocket-host'],
    port: portOf(values['websocket-port'] ?? '0', '--websocket-port'),
    ...(values['websocket-tls'] ? tls : {}),
  };
  return {
    file,
    server: {
      host: values.host ?? (certFile === undefined ? '127.0.0.1' : '0.0.0.0'),
      port: portOf(values.port, '--port'),
      dataFolder,
      ...tls,
      ...(values['websocket-port'] === undefined ? {} : { webSocket }),
      monitoringPort: portOf(values['monitoring-port'], '--monitoring-port'),
    },
  };
}

function portOf(text, name) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`expected a port number for ${name}`);
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

async function main() {
  const { file, server } = readOptions();
  if (existsSync(file)) return;
  const files = await natsServerFiles({
    operator: required('UNDERSTUDY_NATS_OPERATOR_SEED'),
    account: required('UNDERSTUDY_NATS_ACCOUNT_SEED'),
    agentAccount: required('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED'),
    systemAccount: required('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED'),
  });
  // The file contains claims but no seeds. Any user may read it, because the image chooses the user of the server.
  writeFileSync(file, natsServerConfiguration(files, server), { mode: 0o644 });
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  process.exitCode = 2;
});
