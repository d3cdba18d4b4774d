import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { waitFor } from '@understudy/testing';

import type { Development } from '../../../src/commands/dev/development.js';

const PROGRAM = join(import.meta.dirname, '../../../bin/understudy-control-plane.js');
/** The agent that `dev` starts if a link to it is in PATH. */
export const AGENT = join(import.meta.dirname, '../../../../agent/bin/understudy-agent.js');

/** A `dev` command as a process, and what it has printed. */
export class Dev {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [PROGRAM, 'dev', '--json', ...args], { env });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exit = once(this.child, 'close');
  }

  /** Resolves when stderr contains the text. */
  async logs(text: string): Promise<void> {
    await waitFor(`"${text}" in the log`, async () => {
      if (this.child.exitCode !== null) throw new Error(this.stderr);
      return this.stderr.includes(text);
    });
  }

  /** Resolves when everything runs. */
  async up(): Promise<Development> {
    await waitFor('the end of the start', async () => {
      if (this.child.exitCode !== null) throw new Error(this.stderr);
      return this.stdout.endsWith('\n');
    });
    return JSON.parse(this.stdout) as Development;
  }

  async ended(): Promise<number | null> {
    await this.exit;
    return this.child.exitCode;
  }

  signal(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }
}
