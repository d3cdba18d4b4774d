// Runs as a separate process and locks a target, like an agent, until the test ends it.
import { join } from 'node:path';

const { withLockedTarget } = await import(join(import.meta.dirname, '../../dist/index.js'));

const ignore = () => undefined;
const log = { error: ignore, warn: ignore, info: ignore, debug: ignore };

process.on('message', async ({ target, name }) => {
  const { signal } = new AbortController();
  await withLockedTarget(target, { name, log, signal }, async ({ isInTarget }) => {
    process.send({ isInTarget });
    await new Promise(ignore);
  });
});
