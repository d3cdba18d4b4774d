import { join } from 'node:path';

import {
  cleanUpOnExit,
  isRunning,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/local-system';
import { programFile } from '../provision/checkout-programs.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ProgramName = 'control-plane' | 'agent';

/** The commands of the programs, and the Node.js that runs them. */
export interface ProgramFiles {
  readonly node: string;
  readonly command: (name: ProgramName) => string;
}

/** The built programs of this repository. */
export const BUILT_PROGRAMS: ProgramFiles = {
  node: process.execPath,
  command: (name) => programFile(name, 'cli.js'),
};

/** A program as a process. The process ends with the test process, even if that is killed. */
export class Program {
  private constructor(
    private readonly start: (programs: ProgramFiles) => Promise<Program>,
    private readonly process: ProcessIdentity,
    private readonly callOff: () => void,
  ) {}

  /**
   * Starts the program.
   * @param folder for its log file
   * @param ready resolves if the program has responded since the given time
   */
  static async start(
    { node, command }: ProgramFiles,
    name: ProgramName,
    env: Environment,
    folder: string,
    ready: (since: Date) => Promise<void>,
  ): Promise<Program> {
    const program = {
      ...{ name, env, cwd: folder, logFile: join(folder, `${name}.log`) },
      ...{ command: node, args: [command(name), 'start'] },
    };
    const since = new Date();
    const started = await startProcess(program, (exited) => waitUntilReady(() => ready(since), { exited }));
    const start = (programs: ProgramFiles) => Program.start(programs, name, env, folder, ready);
    return new Program(start, started, cleanUpOnExit([started.pid], []));
  }

  /** Ends the program as a service manager does, and starts another version of it with the same settings and files. */
  async replace(programs: ProgramFiles): Promise<Program> {
    await stopProcess(this.process);
    this.callOff();
    return this.start(programs);
  }

  get isRunning(): boolean {
    return isRunning(this.process);
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill(): Promise<void> {
    await stopProcess(this.process, { signal: 'SIGKILL' });
    this.callOff();
  }
}

/**
 * Returns the command that runs a program as a user without privileges, who can still read all files: a checkout in a
 * folder of root is closed to other users. If the tests do not run as root, their own user is such a user.
 */
export function asOrdinaryUser(program: string, args: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, [...args]];
  const capabilities = ['--inh-caps', '-all,+dac_read_search', '--ambient-caps', '-all,+dac_read_search'];
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  return ['setpriv', [...user, ...capabilities, program, ...args]];
}
