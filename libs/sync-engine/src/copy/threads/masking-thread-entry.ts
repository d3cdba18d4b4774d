import { parentPort, workerData } from 'node:worker_threads';
import type { MaskingJob, MaskingRequest } from './masking-messages.js';
import { ThreadMasking } from './thread-masking.js';

const masking = new ThreadMasking(workerData as MaskingJob);

parentPort?.on('message', (request: MaskingRequest) => {
  const reply = masking.take(request);
  if (reply === undefined) return;
  const buffers = reply.kind === 'masked' ? [reply.bytes.buffer, reply.spareBuffer.buffer] : [];
  parentPort?.postMessage(reply, buffers);
});
