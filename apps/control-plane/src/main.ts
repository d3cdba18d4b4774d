import 'reflect-metadata';

import { ConfigurationError, readConfiguration, type Configuration } from './config/configuration.js';
import { createApp } from './create-app.js';

const STOP_WITHIN_MS = 10_000;

async function main(configuration: Configuration): Promise<void> {
  const app = await createApp(configuration);
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    // What is not done by then is given up: jobs are in Postgres, and other servers go on with them. Unref: the deadline
    // must not keep a process alive that has stopped in time.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    app.close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await app.listen(configuration.http.port, configuration.http.host);
  // The API answers while NATS is still away: jobs are accepted and wait.
  await app.startAllMicroservices().catch((error: unknown) => {
    if (!stopping) throw error; // closing takes the link away from under its start
  });
}

function fail(error: unknown): never {
  const text = error instanceof Error ? error.message : 'could not start';
  process.stderr.write(`understudy-control-plane: ${text}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}

try {
  main(readConfiguration()).catch(fail);
} catch (error) {
  fail(error);
}
