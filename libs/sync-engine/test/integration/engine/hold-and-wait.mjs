// Runs as a separate process and holds a snapshot, like an agent, until the test kills it.
import { join } from 'node:path';

const { holdSnapshot } = await import(join(import.meta.dirname, '../../../dist/source/snapshot-keeper.js'));

process.on('message', async (request) => {
  const { snapshotId, processId } = await holdSnapshot({ ...request, signal: new AbortController().signal });
  process.send({ snapshotId, processId });
});
