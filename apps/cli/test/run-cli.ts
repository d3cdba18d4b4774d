import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const BIN = join(import.meta.dirname, '../bin/understudy.js');

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A temporary folder in which tests run the built command. */
export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'understudy-cli-'));

  write(file: string, content: string | Uint8Array): string {
    writeFileSync(join(this.folder, file), content);
    return file;
  }

  start(...args: readonly string[]): ChildProcess {
    return this.startWith({}, ...args);
  }

  /** Starts the command with additional environment variables. */
  startWith(environment: Readonly<Record<string, string>>, ...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [BIN, ...args], {
      cwd: this.folder,
      env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...environment },
    });
  }

  async run(
    args: readonly string[],
    input = '',
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Finished> {
    const child = this.startWith(environment, ...args);
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin?.on('error', () => undefined); // A command that fails does not read its input.
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
