import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { asOrdinaryUser } from '@understudy/testing';

import { runCommandLine } from '../../../src/command-line.js';

const CLI = join(import.meta.dirname, '../../../dist/bundle/cli.js');

export interface CommandRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Runs the command as a user without privileges. */
  readonly isOrdinaryUser?: boolean;
}

/** Runs a command of the built control plane without the variables of this process, except PATH. */
export async function runCommand(
  args: readonly string[],
  { environment = {}, input = '', cwd, isOrdinaryUser = false }: RunOptions = {},
): Promise<CommandRun> {
  if (!existsSync(CLI)) throw new Error('build first: npm run build');
  const command = [CLI, ...args];
  const [program, parameters] = isOrdinaryUser
    ? asOrdinaryUser(process.execPath, command)
    : [process.execPath, command];
  const child = spawn(program, parameters, {
    env: { PATH: process.env['PATH'], ...environment },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data) => (stdout += String(data)));
  child.stderr.on('data', (data) => (stderr += String(data)));
  child.stdin.on('error', () => undefined); // the command may end without reading its input
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/**
 * Runs a command in this process, which saves the start of a program. Until the command ends, `environment` replaces
 * the variables whose names start with UNDERSTUDY_.
 */
export async function runInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const before = process.env;
  const others = Object.entries(before).filter(([name]) => !name.startsWith('UNDERSTUDY_'));
  process.env = { ...Object.fromEntries(others), ...environment };
  let [stdout, stderr] = ['', ''];
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => (stdout += String(text)) !== ''),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => (stderr += String(text)) !== ''),
  ];
  try {
    await runCommandLine(args);
    return { code: Number(process.exitCode ?? 0), stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = undefined;
    process.env = before;
  }
}
