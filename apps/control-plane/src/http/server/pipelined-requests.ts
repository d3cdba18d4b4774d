import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface ConnectionQueue {
  /** Whose answer is being made. */
  current: ServerResponse;
  readonly waiting: Waiting[];
  /** Keeps the connection from being read on; Node resumes it after every message and every answer. */
  readonly hold: () => void;
}

/** A connection that asks further ahead than this is closed after its last answer. */
export const MAX_PIPELINED = 64;

/**
 * Pipelined requests one after the other. Node hands all of them over at once, and one connection could fill the memory
 * and every queue behind it with a few hundred KiB of requests; answers go out in order anyway.
 */
export class PipelinedRequests {
  private readonly queues = new WeakMap<Socket, ConnectionQueue>();

  constructor(private readonly handle: RequestListener) {}

  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const queue = this.queues.get(socket);
    if (!queue) {
      this.queues.set(socket, { current: response, waiting: [], hold: () => void socket.pause() });
      this.run({ request, response });
      return;
    }
    const { waiting, hold } = queue;
    if (waiting.length === 0) {
      hold(); // what came with this one is still handed over
      socket.on('resume', hold);
    }
    if (waiting.length === MAX_PIPELINED) return; // never answered: the one before closes the connection
    if (waiting.length === MAX_PIPELINED - 1) response.shouldKeepAlive = false;
    waiting.push({ request, response });
  };

  /** The answer that the connection is in the middle of. */
  readonly answering = (socket: Socket): ServerResponse | undefined => this.queues.get(socket)?.current;

  private run({ request, response }: Waiting): void {
    response.once('close', () => this.next(request.socket));
    this.handle(request, response);
  }

  private next(socket: Socket): void {
    const queue = this.queues.get(socket);
    const waiting = queue?.waiting.shift();
    if (!queue || !waiting || socket.destroyed) {
      this.queues.delete(socket);
      return;
    }
    if (queue.waiting.length === 0) socket.off('resume', queue.hold).resume(); // its body may be on the way
    queue.current = waiting.response;
    this.run(waiting);
  }
}
