import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface ConnectionQueue {
  /** The response that is being written. */
  current: ServerResponse;
  readonly waiting: Waiting[];
  /**
   * Pauses reading from the connection. It must run repeatedly: Node resumes reading after every message and
   * every response.
   */
  readonly hold: () => void;
}

/**
 * The maximum number of requests that wait on one connection. If this number is reached, the connection is
 * closed after the response to the last waiting request. Later requests on the connection get no response.
 */
export const MAX_PIPELINED = 64;

/**
 * Runs pipelined requests one after the other. Node starts all of them immediately, so a few hundred KiB of
 * requests on one connection could fill the memory and every queue. Running them in order delays no response,
 * because HTTP requires responses in the order of the requests.
 */
export class PipelinedRequests {
  private readonly queues = new WeakMap<Socket, ConnectionQueue>();

  /** @param isClosing while it is true, a connection is closed after the response to its last request */
  constructor(
    private readonly handle: RequestListener,
    private readonly isClosing: () => boolean,
  ) {}

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
      hold(); // Node still emits the requests that arrived in the same chunk
      socket.on('resume', hold);
    }
    if (waiting.length === MAX_PIPELINED) return; // no response: the connection closes after the previous one
    if (waiting.length === MAX_PIPELINED - 1) response.shouldKeepAlive = false;
    waiting.push({ request, response });
  };

  /** Returns the response that is being written on the connection. */
  readonly currentResponse = (socket: Socket): ServerResponse | undefined => this.queues.get(socket)?.current;

  private run({ request, response }: Waiting): void {
    response.once('close', () => this.next(request.socket));
    this.handle(request, response);
  }

  private next(socket: Socket): void {
    const queue = this.queues.get(socket);
    const waiting = queue?.waiting.shift();
    if (!queue || !waiting || socket.destroyed) {
      this.queues.delete(socket);
      if (this.isClosing()) socket.end(); // Node closes only the connections that are idle when the server closes
      return;
    }
    if (queue.waiting.length === 0) socket.off('resume', queue.hold).resume(); // the body may still have to be read
    queue.current = waiting.response;
    this.run(waiting);
  }
}
