// Runs as a separate process and holds a snapshot, like an agent, until the test ends it.
import { join } from 'node:path';

const { holdSnapshot } = await import(join(import.meta.dirname, '../../../dist/source/snapshot-keeper.js'));

process.on('message', async ({ isReleased, ...request }) => {
  const snapshot = await holdSnapshot({ ...request, signal: new AbortController().signal });
  const { snapshotId, processId } = snapshot;
  if (isReleased) await snapshot.release();
  process.send({ snapshotId, processId });
});
