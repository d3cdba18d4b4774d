import { statSync } from 'node:fs';

import type { Command } from 'commander';

/** The file of `--config` cannot be used. The message states the reason and what to do. */
export class VariablesFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VariablesFileError';
  }
}

/**
 * Adds the option `--config FILE` to a program. All its commands accept it, before and after their names, and read the
 * file before they run. Call this before the commands are added, so that their help shows the option.
 */
export function withConfigOption(program: Command): Command {
  return program
    .option(
      '--config <file>',
      'read variables from this file, one NAME=value per line; variables of the environment precede',
    )
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', () => {
      const { config } = program.opts<{ config?: string }>();
      if (config !== undefined) loadVariablesFile(config);
    });
}

/**
 * Sets the variables of a file in the environment of this process. Variables that are set already keep their values.
 * Node.js reads some variables only when it starts, such as NODE_OPTIONS and NODE_EXTRA_CA_CERTS, so they have no
 * effect in the file.
 * @throws VariablesFileError if it is not a readable, regular file of at most 1 MiB
 */
export function loadVariablesFile(path: string): void {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > LARGEST_FILE)
      throw new VariablesFileError(`--config must name a regular file of at most 1 MiB, not ${path}`);
    process.loadEnvFile(path);
  } catch (error) {
    if (error instanceof VariablesFileError) throw error;
    const code = (error as { code?: string }).code ?? 'unknown reason';
    throw new VariablesFileError(
      `--config must name a readable file: ${path} cannot be read (${code}). Correct the path, or run the command as a user who can read it.`,
    );
  }
}

const LARGEST_FILE = 1024 * 1024;
