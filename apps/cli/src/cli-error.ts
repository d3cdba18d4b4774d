import { EXIT, type ExitCode } from './exit-code.js';

/** Ends the command with a message, one line or several, and an exit code. */
export class CliError extends Error {
  /** @param hint what the user can do about it, where the message does not say so itself */
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'CliError';
  }
}

/** @param file as the user wrote it */
export function fileError(file: string, reason: string): CliError {
  return new CliError(EXIT.file, `${file}: ${reason}`);
}

/** For `.catch`: an error of the file system in words, anything else as it is. */
export function asFileError(file: string): (error: unknown) => never {
  return (error) => {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw fileError(file, REASONS[code] ?? `the system says ${code}`);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
};
