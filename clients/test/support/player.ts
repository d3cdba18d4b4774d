import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { jsonParser } from '../../typescript/src/transport/json.js';
import { ROOT, type ClientVariant } from './languages.js';

/** A call of a client. clients/scenarios/README.md describes all fields. */
export interface PlayerRequest {
  /** The method in camelCase, for example `jobs.create`, `mockEndpoints.iterate` or `construct`. */
  readonly call: string;
  readonly [field: string]: unknown;
}

/** One attempt, as the client reported it to `onAttempt`. */
export interface PlayerAttempt {
  readonly operation: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly request_id: string | null;
  /** Seconds before the next attempt. */
  readonly delay: number | null;
}

/** The outcome of a call. Either `result` or `error` is present. */
export interface PlayerResponse {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>> & { readonly class: string; readonly message: string };
  readonly attempts?: readonly PlayerAttempt[];
  readonly [field: string]: unknown;
}

/** Keeps the digits of numbers that a double cannot hold as text, so that scenarios can expect them. */
const parseDigits = jsonParser('string');

/** Stops a test that hangs. All calls are far shorter, also on a machine that is ten times slower. */
const LONGEST_CALL_MS = 300_000;

/** The process that carries out calls with a client. It carries out one call at a time, in the order of `play`. */
export class Player {
  #id = 0;
  #errors = '';
  readonly #waiting = new Map<number, (response: PlayerResponse | Error) => void>();

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    child.stderr?.on('data', (data) => (this.#errors = (this.#errors + String(data)).slice(-20_000)));
    const lines = child.stdout && createInterface({ input: child.stdout });
    lines?.on('line', (line) => this.#receive(line));
    child.stdin?.on('error', () => undefined); // the end of the process reports the error
    const fail = (reason: string): void => {
      for (const settle of this.#waiting.values())
        settle(new Error(`the player in ${name} ended (${reason}); its messages: ${this.#errors}`));
      this.#waiting.clear();
    };
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => fail(signal ?? `exit code ${String(code)}`));
  }

  /**
   * Starts the player of a client.
   * @param authority path of the certificate of an authority that the player trusts for TLS
   */
  static start(variant: ClientVariant, authority?: string): Player {
    const [program, ...args] = variant.command(authority);
    const trust = authority && { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority };
    const env: NodeJS.ProcessEnv = { ...process.env, ...trust };
    for (const name of Object.keys(env)) if (/_proxy$/i.test(name)) Reflect.deleteProperty(env, name);
    delete env['NODE_OPTIONS'];
    return new Player(variant.name, spawn(program, args, { cwd: ROOT, env, stdio: 'pipe' }));
  }

  /** The last 20,000 characters that the process wrote to stderr. */
  get errors(): string {
    return this.#errors;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The largest resident memory of the process so far, in bytes. Linux only. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${String(this.child.pid)}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Carries out a call. @throws Error if the process ends or hangs */
  async play(request: PlayerRequest): Promise<PlayerResponse> {
    const id = ++this.#id;
    if (!this.isRunning) throw new Error(`the player in ${this.name} ended; its messages: ${this.#errors}`);
    const settled = new Promise<PlayerResponse | Error>((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), LONGEST_CALL_MS);
    const response = await settled.finally(() => clearTimeout(timer));
    if (response instanceof Error) throw response;
    return response;
  }

  /**
   * Ends the process by the end of its input, or by a signal if it does not end.
   * @throws Error if the process has ended before
   */
  async stop(): Promise<void> {
    if (!this.isRunning)
      throw new Error(`the player in ${this.name} ended early; its messages: ${this.#errors}`);
    const closed = once(this.child, 'close');
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await closed;
    clearTimeout(timer);
  }

  #receive(line: string): void {
    let response: PlayerResponse;
    try {
      response = parseDigits(line) as PlayerResponse;
    } catch {
      this.#errors += `\nexpected a line of JSON, got: ${line.slice(0, 2000)}\n`;
      this.child.kill('SIGKILL');
      return;
    }
    this.#waiting.get(response.id)?.(response);
    this.#waiting.delete(response.id);
  }
}
