import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { cpuSecondsOf } from '../process-cpu.js';
import { ProcessMemory } from '../process-memory.js';
import { type ClientPrograms, type Command, ROOT } from './client-programs.js';

export interface StreamRun {
  readonly seconds: number;
  /** The CPU time of the process, including its start; null if the system does not report it. */
  readonly cpuSeconds: number | null;
  /** The peak of the resident memory of the process; null if the system does not report it. */
  readonly peakBytes: number | null;
}

const READ_INTERVAL_MS = 5;
/** The server of this benchmark ignores the schema. */
const SCHEMA = { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } } };

/**
 * Reads the body once with curl. The time includes the start of the process, which takes a few milliseconds.
 * @throws Error if curl fails
 */
export async function streamWithCurl(url: string): Promise<StreamRun> {
  const options = ['--silent', '--show-error', '--fail', '--no-buffer', '--output', '/dev/null'];
  const startedAt = performance.now();
  const curl = spawn('curl', [...options, '--request', 'POST', `${url}/v1/generate`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const memory = new ProcessMemory(curl.pid);
  let peakBytes: number | null = null;
  let cpuSeconds: number | null = null;
  // The kernel forgets these values when the process ends, so they are read while curl runs.
  const timer = setInterval(() => {
    peakBytes = memory.peakBytes() ?? peakBytes;
    cpuSeconds = cpuSecondsOf(curl.pid) ?? cpuSeconds;
  }, READ_INTERVAL_MS);
  const [code] = (await once(curl, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`curl ended with exit code ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds, peakBytes };
}

/**
 * Reads the body once with the plain program of a language in a new process, which measures the time itself.
 * @throws Error if the program fails or receives another number of records
 */
export async function streamPlainly(
  { plain }: ClientPrograms,
  url: string,
  records: number,
): Promise<StreamRun> {
  const program = new LineProgram([...plain, `${url}/v1/generate`]);
  try {
    const answer = await program.read();
    expectRecords(answer, records, plain);
    return { seconds: Number(answer['seconds']), ...program.used() };
  } finally {
    program.stop();
  }
}

/**
 * Reads the body once with a client in a new process. The time starts when the process has created a client.
 * It ends when the client has returned the last record.
 * @throws Error if the client fails or returns another number of records
 */
export async function streamWithClient(
  { player }: ClientPrograms,
  url: string,
  records: number,
): Promise<StreamRun> {
  const program = new LineProgram(player);
  const client = { token: 'bench', base_url: url };
  try {
    program.write({ id: 1, call: 'construct', client });
    await program.read();
    const startedAt = performance.now();
    const call = { id: 2, call: 'generateStream', client };
    program.write({ ...call, schema: SCHEMA, count: records, discard: true });
    const answer = await program.read();
    const seconds = (performance.now() - startedAt) / 1000;
    expectRecords(answer, records, player);
    return { seconds, ...program.used() };
  } finally {
    program.stop();
  }
}

/** A process that reads and writes lines of JSON. */
class LineProgram {
  private readonly child;
  private readonly lines;

  constructor(private readonly command: Command) {
    const [program, ...args] = command;
    this.child = spawn(program, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  write(request: object): void {
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
  }

  /** @throws Error if the process ends without a line */
  async read(): Promise<Record<string, unknown>> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.command.join(' ')} ended without a response`);
    return JSON.parse(value) as Record<string, unknown>;
  }

  used(): { cpuSeconds: number | null; peakBytes: number | null } {
    const { pid } = this.child;
    return { cpuSeconds: cpuSecondsOf(pid), peakBytes: new ProcessMemory(pid).peakBytes() };
  }

  stop(): void {
    this.child.kill();
  }
}

function expectRecords(answer: Record<string, unknown>, records: number, command: Command): void {
  if (answer['received'] === records) return;
  const received = JSON.stringify(answer).slice(0, 500);
  throw new Error(`expected ${records} records from ${command.join(' ')}, received ${received}`);
}
