// Writes the configuration of the NATS server from the four seeds, once: an account claim signed anew would be younger
// than the revocations the server has been given since, and take their place.
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
  // It holds claims and no seeds: the server's user, whoever that is in its image, must be able to read it.
  const configuration = natsServerConfiguration(files, { host: '0.0.0.0', port: 4222, dataFolder });
  // The health check reads the monitoring port from inside the container; no other container may.
  writeFileSync(file, `${configuration}http: "127.0.0.1:8222"\n`, { mode: 0o644 });
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
