import { EXIT, type ExitCode } from './exit-code.js';

/** An error that ends the command with an exit code and a message of one or several lines. */
export class CliError extends Error {
  /** @param hint what the user can do next, if the message does not state it */
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'CliError';
  }
}

/** @param file the path as the user wrote it */
export function fileError(file: string, reason: string): CliError {
  return new CliError(EXIT.file, `${file}: ${reason}`);
}

/**
 * Returns a handler for `.catch`. The handler turns an error of the file system into a CliError and rethrows
 * any other error unchanged.
 */
export function asFileError(file: string): (error: unknown) => never {
  return (error) => {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw fileError(file, REASONS[code] ?? `the operating system reported ${code}`);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you have no permission to read or write this file',
  EPERM: 'you have no permission to read or write this file',
  EISDIR: 'this is a folder, expected a file',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
};
