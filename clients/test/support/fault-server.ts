import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

import { bodyOf, headersOf, type ScriptedResponse, type Fault } from './scripted-response.js';

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, not decoded. */
  readonly path: string;
  /** The values by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON, as the fields of a form, or as text. Undefined if there is none. */
  readonly body?: unknown;
  /** SHA-256 of the body in hex. */
  readonly sha256: string;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** How a response ended. */
type End = 'complete' | 'closed by the client' | 'fault';

/**
 * A server on 127.0.0.1 that responds according to a script: one response for each request, in order. It can break a
 * connection at any place. It records all requests. A request that the script does not expect receives 418.
 */
export class FaultServer {
  #script: ScriptedResponse[] = [];
  #repeatLast = false;
  #requests: ReceivedRequest[] = [];
  #ends: Promise<End>[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** @param certificate makes it a TLS server */
  static async start(certificate?: Certificate): Promise<FaultServer> {
    const server = certificate ? createTlsServer(certificate) : createServer();
    server.keepAliveTimeout = 0; // kept connections end only with the server
    server.requestTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const faults = new FaultServer(server, `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`);
    server.on('connection', (socket: Socket) => faults.#accept(socket));
    server.on('request', (request, response) => void faults.#receive(request, response));
    return faults;
  }

  get url(): string {
    return `${this.origin}/v1`;
  }

  /** The requests since the last call of `play`. */
  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  /** The number of responses of the script that no request has received. */
  get left(): number {
    return this.#script.length;
  }

  /**
   * Starts a new script.
   * @param repeatLast repeats the last response for all further requests
   */
  play(responses: readonly ScriptedResponse[], repeatLast = false): void {
    this.#script = [...responses];
    this.#repeatLast = repeatLast;
    this.#requests = [];
    this.#ends = [];
  }

  /** Waits until the last response has ended, and returns how. */
  async lastEnd(): Promise<End | undefined> {
    return this.#ends.at(-1);
  }

  /** Closes all connections and the server. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('error', () => undefined); // a client may close the connection at any time
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    if (this.#script[0]?.fault?.at !== 'connect') return;
    const { fault } = this.#next() as ScriptedResponse;
    this.#ends.push(breakOff(socket, fault as Fault));
  }

  #next(): ScriptedResponse | undefined {
    return this.#repeatLast && this.#script.length === 1 ? this.#script[0] : this.#script.shift();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      return; // the client closed the connection within its request
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const bytes = Buffer.concat(parts);
    const scripted = this.#next() ?? {
      status: 418,
      error: { code: 'unexpected_request', message: 'The script does not expect this request.' },
    };
    if (scripted.fault?.at !== 'connect')
      this.#requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers,
        ...(await parsedBody(bytes, headers['content-type'])),
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    this.#ends.push(send(scripted, request.socket, response));
  }
}

async function parsedBody(bytes: Buffer, contentType = ''): Promise<{ body?: unknown }> {
  if (bytes.length === 0) return {};
  if (contentType.startsWith('application/json')) return { body: JSON.parse(bytes.toString()) as unknown };
  if (!contentType.startsWith('multipart/')) return { body: bytes.toString() };
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': contentType },
  }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form)
    fields[name] =
      typeof value === 'string'
        ? value
        : { base64: Buffer.from(await value.arrayBuffer()).toString('base64') };
  return { body: fields };
}

async function send(scripted: ScriptedResponse, socket: Socket, response: ServerResponse): Promise<End> {
  const { fault } = scripted;
  response.on('error', () => undefined); // a client may close the connection at any time
  if (scripted.delay !== undefined) await setTimeout(scripted.delay);
  if (fault?.at === 'connect' || fault?.at === 'request') return breakOff(socket, fault);
  if (fault?.at === 'headers') {
    socket.write(`HTTP/1.1 ${scripted.status ?? 200} OK\r\nContent-Type: application/js`);
    return breakOff(socket, fault);
  }
  response.sendDate = false;
  response.writeHead(scripted.status ?? 200, headersOf(scripted));
  response.flushHeaders();
  let left = fault ? (fault.after ?? Math.floor(Buffer.concat([...bodyOf(scripted)]).length / 2)) : Infinity;
  for (const part of bodyOf(scripted)) {
    if (left === 0) break;
    if (!(await write(socket, response, part.subarray(0, left)))) return 'closed by the client';
    left -= Math.min(left, part.length);
    if (scripted.pause !== undefined) await setTimeout(scripted.pause);
    else if (scripted.split !== undefined) await setImmediate();
  }
  if (fault) return breakOff(socket, fault);
  response.end();
  return socket.destroyed ? 'closed by the client' : 'complete';
}

/** @returns whether the connection is open, so that more can be written */
async function write(socket: Socket, response: ServerResponse, bytes: Buffer): Promise<boolean> {
  if (socket.destroyed) return false;
  if (response.write(bytes)) return true;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    response.once('drain', done);
    socket.once('close', done);
  });
  return !socket.destroyed;
}

async function breakOff(socket: Socket, { how }: Fault): Promise<End> {
  if (how === 'hang') {
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    return 'closed by the client';
  }
  // Sends what has been written so far before the connection ends.
  await new Promise<void>((resolve) => void socket.write('', () => resolve()));
  if (how === 'close') socket.destroySoon();
  else socket.resetAndDestroy();
  return 'fault';
}
