import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Turns {
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
export class RequestsInTurn {
  private readonly turns = new WeakMap<Socket, Turns>();

  constructor(private readonly handle: RequestListener) {}

  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const turns = this.turns.get(socket);
    if (!turns) {
      this.turns.set(socket, { current: response, waiting: [], hold: () => void socket.pause() });
      this.run({ request, response });
      return;
    }
    const { waiting, hold } = turns;
    if (waiting.length === 0) {
      hold(); // what came with this one is still handed over
      socket.on('resume', hold);
    }
    if (waiting.length === MAX_PIPELINED) return; // never answered: the one before closes the connection
    if (waiting.length === MAX_PIPELINED - 1) response.shouldKeepAlive = false;
    waiting.push({ request, response });
  };

  /** The answer that the connection is in the middle of. */
  readonly answering = (socket: Socket): ServerResponse | undefined => this.turns.get(socket)?.current;

  private run({ request, response }: Waiting): void {
    response.once('close', () => this.next(request.socket));
    this.handle(request, response);
  }

  private next(socket: Socket): void {
    const turns = this.turns.get(socket);
    const waiting = turns?.waiting.shift();
    if (!turns || !waiting || socket.destroyed) {
      this.turns.delete(socket);
      return;
    }
    if (turns.waiting.length === 0) socket.off('resume', turns.hold).resume(); // its body may be on the way
    turns.current = waiting.response;
    this.run(waiting);
  }
}
