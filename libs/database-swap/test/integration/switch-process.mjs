// Runs as a separate process and switches databases, like an agent, until the test ends it.
import { join } from 'node:path';

const { switchDatabases, withServerSession } = await import(join(import.meta.dirname, '../../dist/index.js'));

process.on('message', async ({ target, names, existing }) => {
  const { signal } = new AbortController();
  await withServerSession(target, async (session) => {
    process.send('connected');
    await switchDatabases(session, target, names, {
      ...{ change: 'job_1', existing, graceMs: 60_000, signal, endsSessions: true },
    });
  });
});
