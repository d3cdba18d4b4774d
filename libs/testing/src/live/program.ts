import { join } from 'node:path';

import {
  cleanUpOnExit,
  programFile,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/stack';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A built program of this repository as a process. The process ends with the test process, even if that is killed. */
export class Program {
  private constructor(
    private readonly process: ProcessIdentity,
    private readonly callOff: () => void,
  ) {}

  /**
   * Starts the program.
   * @param folder for its log file
   * @param ready resolves if the program responds
   */
  static async start(
    name: 'control-plane' | 'agent',
    env: Environment,
    folder: string,
    ready: () => Promise<void>,
  ): Promise<Program> {
    const program = {
      ...{ name, env, cwd: folder, logFile: join(folder, `${name}.log`) },
      ...{ command: process.execPath, args: [programFile(name, 'main.js')] },
    };
    const started = await startProcess(program, (exited) => waitUntilReady(ready, { exited }));
    return new Program(started, cleanUpOnExit([started.pid], []));
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill(): Promise<void> {
    await stopProcess(this.process, { signal: 'SIGKILL' });
    this.callOff();
  }
}
