// An agent that has just got hold of a snapshot, to be killed: a process of its own, of the compiled files.
import { join } from 'node:path';

const { holdSnapshot } = await import(join(import.meta.dirname, '../../../dist/source/snapshot-keeper.js'));

process.on('message', async (request) => {
  const { snapshotId, processId } = await holdSnapshot({ ...request, signal: new AbortController().signal });
  process.send({ snapshotId, processId });
});
