import { parentPort, workerData } from 'node:worker_threads';
import type { MaskingJob, MaskingOrder } from './masking-messages.js';
import { ThreadMasking } from './thread-masking.js';

const masking = new ThreadMasking(workerData as MaskingJob);

parentPort?.on('message', (order: MaskingOrder) => {
  const reply = masking.take(order);
  if (reply === undefined) return;
  const buffers = reply.kind === 'masked' ? [reply.bytes.buffer, reply.room.buffer] : [];
  parentPort?.postMessage(reply, buffers);
});
