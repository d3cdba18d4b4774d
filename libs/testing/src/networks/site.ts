import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ProgramResponse, ProgramCall, ServiceAddresses } from './namespace-calls.js';
import { NetworkNamespace } from './network-namespace.js';
import type { RelaySettings } from './tcp-relay.js';

// The path of the compiled file, which Node loads. It is correct both from src and from dist.
const PROGRAM = fileURLToPath(new URL('../../dist/networks/namespace-program.js', import.meta.url));

/** A network namespace with a program in it that starts services and lets the test reach them. */
export class Site {
  private readonly servers: Server[] = [];
  private readonly waiting = new Map<number, { resolve(answer: ProgramResponse): void }>();
  private lastId = 0;

  private constructor(
    readonly namespace: NetworkNamespace,
    private readonly program: ChildProcess,
    private readonly socketPath: string,
  ) {
    program.on('message', (answer: ProgramResponse) => this.waiting.get(answer.id)?.resolve(answer));
    program.on('exit', () => {
      for (const [id, call] of this.waiting)
        call.resolve({ id, error: 'the program in the namespace ended' });
    });
  }

  /** @param folder an existing folder for the socket of the program */
  static async open(role: string, folder: string): Promise<Site> {
    const namespace = NetworkNamespace.create(role);
    const socketPath = join(folder, `${role}.sock`);
    const program = fork(PROGRAM, [socketPath], {
      execPath: 'ip',
      execArgv: ['netns', 'exec', namespace.name, process.execPath],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const site = new Site(namespace, program, socketPath);
    await site.answerTo(0);
    return site;
  }

  /** Starts private services on loopback in the namespace. */
  async services(which: {
    readonly postgres?: boolean;
    readonly redis?: boolean;
  }): Promise<ServiceAddresses> {
    const { services } = await this.call({ call: 'services', which });
    if (services === undefined) throw new Error('the program returned no addresses');
    return services;
  }

  /** Starts a relay in the namespace, or changes the settings of the relay on this port. */
  async relay(
    port: number,
    target: { readonly host: string; readonly port: number },
    settings: RelaySettings = {},
  ): Promise<void> {
    await this.call({ call: 'relay', port, target, settings });
  }

  /** Starts an HTTP proxy in the namespace. */
  async proxy(port: number, idleMs?: number): Promise<void> {
    await this.call({ call: 'proxy', port, ...(idleMs !== undefined && { idleMs }) });
  }

  /**
   * Lets programs of the test connect to a server on loopback in the namespace.
   * @returns a port of 127.0.0.1 outside the namespace
   */
  async expose(port: number): Promise<number> {
    const server = createServer((client) => {
      const gate = connect(this.socketPath);
      gate.write(`127.0.0.1 ${port}\n`);
      client.pipe(gate).pipe(client);
      for (const [one, other] of [
        [client, gate],
        [gate, client],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    this.servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  /** Returns a URL of a service in the namespace with the port at which the test reaches it. */
  async exposeUrl(url: string): Promise<string> {
    const port = await this.expose(Number(new URL(url).port));
    return url.replace(/:\d+($|\/)/, `:${port}$1`);
  }

  /** Ends the program with its services, kills all other processes in the namespace, and removes it. */
  async close(): Promise<void> {
    for (const server of this.servers) server.close();
    if (this.program.exitCode === null && this.program.signalCode === null) {
      const ended = once(this.program, 'exit');
      if (this.program.connected) this.program.disconnect();
      else this.program.kill('SIGKILL');
      await ended;
    }
    this.namespace.remove();
  }

  private async call(call: ProgramCall): Promise<ProgramResponse> {
    const id = ++this.lastId;
    this.program.send({ ...call, id });
    return this.answerTo(id);
  }

  private async answerTo(id: number): Promise<ProgramResponse> {
    const answer = await new Promise<ProgramResponse>((resolve) => this.waiting.set(id, { resolve }));
    this.waiting.delete(id);
    if (answer.error !== undefined) throw new Error(`${this.namespace.name}: ${answer.error}`);
    return answer;
  }
}
