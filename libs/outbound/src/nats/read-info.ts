import type { Duplex } from 'node:stream';

/** The parts of a NATS server's first line that decide how the connection goes on. */
export interface NatsInfo {
  /** The line, with its end. */
  readonly line: Buffer;
  /** Bytes that arrived after the line. */
  readonly rest: Buffer;
  readonly tlsRequired: boolean;
  readonly tlsAvailable: boolean;
}

/** The server did not send the first line of a NATS server. */
export class NotNatsError extends Error {
  constructor(readonly reason: 'closed' | 'not_nats') {
    super(
      reason === 'closed'
        ? 'the server closed the connection before its first line'
        : 'the server is not a NATS server',
    );
    this.name = 'NotNatsError';
  }
}

/**
 * Reads the line that a NATS server sends first, at most 64 KiB. Leaves the stream paused.
 * @throws NotNatsError, or the error of the stream or the signal
 */
export function readInfo(stream: Duplex, signal: AbortSignal): Promise<NatsInfo> {
  let received: Buffer = Buffer.alloc(0);
  return new Promise<NatsInfo>((resolve, reject) => {
    const end = (result: () => void): void => {
      stream.pause().off('data', take).off('end', fail).off('close', fail).off('error', reject);
      signal.removeEventListener('abort', abort);
      result();
    };
    const take = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const at = received.indexOf('\n') + 1;
      if (at > 0) end(() => parse(received.subarray(0, at), received.subarray(at)).then(resolve, reject));
      else if (received.length > LONGEST_LINE) end(() => reject(new NotNatsError('not_nats')));
    };
    const fail = (): void =>
      end(() => reject(new NotNatsError(received.length === 0 ? 'closed' : 'not_nats')));
    const abort = (): void => end(() => reject(signal.reason as Error));
    stream.on('data', take).on('end', fail).on('close', fail).on('error', reject).resume();
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
}

// Async, so that an error rejects instead of leaving the event handler.
async function parse(line: Buffer, rest: Buffer): Promise<NatsInfo> {
  const json = /^INFO (\{.*\})\s*\r\n$/.exec(line.toString('latin1'))?.[1];
  if (json === undefined) throw new NotNatsError('not_nats');
  const { tls_required, tls_available } = parseObject(json);
  return { line, rest, tlsRequired: tls_required === true, tlsAvailable: tls_available === true };
}

function parseObject(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    throw new NotNatsError('not_nats');
  }
}

const LONGEST_LINE = 65_536;
