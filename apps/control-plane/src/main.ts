import 'reflect-metadata';

import {
  ConfigurationError,
  readConfiguration,
  type Configuration,
} from './platform/config/configuration.js';

const STOP_WITHIN_MS = 10_000;

async function main(configuration: Configuration): Promise<void> {
  // The application takes a second to load, and problems of the configuration are reported before.
  const { ComputePool } = await import('./data/compute/compute-pool.js');
  const { createApp } = await import('./create-app.js');
  const app = await createApp(configuration);
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    // After this time the process exits even if work is in progress. Jobs are in PostgreSQL, and other servers
    // continue them. `unref` lets a process that stops earlier exit before the deadline.
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    app.close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await app.listen(configuration.http.port, configuration.http.host);
  app.get(ComputePool, { strict: false }).start();
  // The API serves requests while NATS is unreachable: it accepts jobs, and they wait.
  await app.startAllMicroservices().catch((error: unknown) => {
    if (!stopping) throw error; // closing the application interrupts the start of the link
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
