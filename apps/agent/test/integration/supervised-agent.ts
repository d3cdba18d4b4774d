import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../dist/bundle/cli.js');

/** Runs the agent's program and restarts it each time it ends, as a service manager does. */
export class SupervisedAgent {
  /** The exit code or signal of each ended process, oldest first. */
  readonly exits: (number | NodeJS.Signals | null)[] = [];
  private output = '';
  private child: ChildProcess | undefined;
  private stopping = false;

  constructor(readonly settings: Readonly<Record<string, string>>) {
    this.start();
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Returns the messages that the agent has logged at this level (50: error, 60: fatal). */
  logged(level: number): string[] {
    return this.output
      .split('\n')
      .filter((line) => line.includes(`"level":${level},`))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  }

  /** Ends the process for good. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.stopping = true;
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  private start(): void {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_'));
    const child = spawn(process.execPath, [CLI, 'start'], {
      env: { ...Object.fromEntries(inherited), ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.once('exit', (code, signal) => {
      this.exits.push(signal ?? code);
      if (!this.stopping) this.start();
    });
  }
}
