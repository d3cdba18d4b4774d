import { parentPort, workerData } from 'node:worker_threads';

import { compileTask, type RowTask, type RowRange } from '../generation-task.js';
import { RowMaker } from '../row-maker.js';

const task = workerData as RowTask;
const rows = new RowMaker(compileTask(task), task.seed, task.layout);

// Sends one chunk for each request, in the order of the requests. This lets the caller limit the unread chunks.
parentPort?.on('message', (range: RowRange) => {
  const chunk = rows.chunk(range);
  parentPort?.postMessage(chunk, [chunk.bytes.buffer as ArrayBuffer]);
});
