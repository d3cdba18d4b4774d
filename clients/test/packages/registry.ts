import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Toolchain } from '@understudy/testing';

/** A package archive, and the names of the files in it without the folder that contains them. */
export interface Archive {
  readonly file: string;
  readonly entries: readonly string[];
}

/** A private registry with only the package of one client. It needs no network. */
export interface Registry {
  readonly archives: readonly Archive[];
  readonly version: string;
  /** The settings with which the unchanged install command of the language uses this registry only. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): void;
}

/** The registry of a language, for example PyPI. */
export interface Ecosystem {
  readonly language: 'typescript' | 'python' | 'php' | 'go';
  readonly toolchain?: Toolchain;
  /**
   * Packs the client and publishes it in a private registry.
   * @param folder an empty folder
   */
  publish(folder: string): Promise<Registry>;
}

const execute = promisify(execFile);

/**
 * Runs a program.
 * @returns its standard output
 * @throws Error with the end of its output if it fails
 */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const env = { ...process.env, ...settings };
    return (await execute(program, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    const output = `${stdout.slice(-3_000)}\n${stderr.slice(-3_000)}`;
    throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${output}`, { cause: error });
  }
}
