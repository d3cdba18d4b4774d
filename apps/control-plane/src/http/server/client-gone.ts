import type { FastifyReply } from 'fastify';

/** Aborted when the connection ends before the answer has been handed over whole. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const close = (): void => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.closed) close();
  else raw.once('close', close);
  return gone.signal;
}
