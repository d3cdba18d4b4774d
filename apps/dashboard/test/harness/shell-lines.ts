import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../../..');

/** Lines that a page shows, run by a shell as a reader pastes them. The folder has the programs of this repository. */
export class ShellLines {
  private readonly folder = mkdtempSync(join(tmpdir(), 'understudy-lines-'));
  private shell: ChildProcess | undefined;

  constructor() {
    symlinkSync(join(REPOSITORY, 'apps'), join(this.folder, 'apps'));
  }

  save(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text, { mode: 0o600 });
  }

  /** Starts the lines. The last line can be a program that does not end. */
  run(lines: string): void {
    const { PATH, TZ } = process.env;
    this.shell = spawn('bash', ['-c', lines], {
      cwd: this.folder,
      env: { PATH, TZ, HOME: this.folder },
      detached: true, // the shell and its programs are one group, which `stop` ends
      stdio: 'ignore',
    });
  }

  async stop(): Promise<void> {
    const { shell } = this;
    if (shell?.pid !== undefined && shell.exitCode === null && shell.signalCode === null) {
      const ended = once(shell, 'exit');
      process.kill(-shell.pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
