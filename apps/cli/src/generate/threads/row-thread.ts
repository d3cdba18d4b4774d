import { parentPort, workerData } from 'node:worker_threads';

import { compileTask, type RowTask, type RowRange } from '../generation-task.js';
import { RowMaker } from '../row-maker.js';

const task = workerData as RowTask;
const rows = new RowMaker(compileTask(task), task.seed, task.layout);

// One chunk for each question, in the order in which they were asked: who asks decides how much waits to be read.
parentPort?.on('message', (range: RowRange) => {
  const chunk = rows.chunk(range);
  parentPort?.postMessage(chunk, [chunk.bytes.buffer as ArrayBuffer]);
});
