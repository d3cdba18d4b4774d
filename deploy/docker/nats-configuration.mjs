// Writes the configuration of the NATS server from the four seeds. It is written only once: an account claim that is
// signed again would be newer than the revocations that the server has received since, and would replace them.
import { existsSync, writeFileSync } from 'node:fs';
import { natsServerConfiguration, natsServerFiles } from '@understudy/nats-trust';

const [file, dataFolder] = process.argv.slice(2);
if (!file || !dataFolder)
  throw new Error('usage: nats-configuration.mjs <file to write> <data folder of the server>');

if (!existsSync(file)) {
  const files = await natsServerFiles({
    operator: required('UNDERSTUDY_NATS_OPERATOR_SEED'),
    account: required('UNDERSTUDY_NATS_ACCOUNT_SEED'),
    agentAccount: required('UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED'),
    systemAccount: required('UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED'),
  });
  // The file contains claims but no seeds. Any user may read it, because the image chooses the user of the server.
  const configuration = natsServerConfiguration(files, { host: '0.0.0.0', port: 4222, dataFolder });
  // The health check reads the monitoring port from inside the container. No other container can reach it.
  writeFileSync(file, `${configuration}http: "127.0.0.1:8222"\n`, { mode: 0o644 });
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
