import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** A secret in a file cannot be used. The message names the variable and the remedy, but neither the path nor the value. */
export class SecretFileError extends Error {
  /** @param code the error code of the file system, if it refused to open the file */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
    this.name = 'SecretFileError';
  }
}

export interface SecretOptions {
  /** Whether a missing file counts as a variable that is not set. False by default. */
  readonly mayBeMissing?: boolean;
}

/**
 * Returns the value of a secret variable, which is in the variable itself, or in the file that `<name>_FILE` names.
 * One newline at the end of the file does not belong to the secret. Returns undefined if neither variable is set.
 * @throws SecretFileError if both variables are set, or if the file is not regular, is empty, has more than 64 KiB,
 * cannot be read, or can be read by every user of the machine
 */
export function secretVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { mayBeMissing = false }: SecretOptions = {},
): string | undefined {
  const variable = `${name}_FILE`;
  const path = env[variable] || undefined;
  const value = env[name] || undefined;
  if (path === undefined) return value;
  if (value !== undefined)
    throw new SecretFileError(`${name} and ${variable} are both set; remove one of them`);
  try {
    return readSecretFile(variable, path);
  } catch (error) {
    if (mayBeMissing && (error as SecretFileError).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns the content of a file without one newline at its end.
 * @param variable the variable or option with the path, for the messages
 * @throws SecretFileError as {@link secretVariable} does
 */
export function readSecretFile(variable: string, path: string): string {
  try {
    return readRegularFile(variable, path);
  } catch (error) {
    if (error instanceof SecretFileError) throw error;
    const code = (error as { code?: string }).code ?? 'unknown reason';
    throw new SecretFileError(
      `${variable} must name a file that the program can read: it cannot be read (${code}); correct the path, or the owner, group and mode of the file`,
      code,
    );
  }
}

function readRegularFile(variable: string, path: string): string {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new SecretFileError(`${variable} must name a regular file`);
    if (stats.size > LARGEST_SECRET)
      throw new SecretFileError(
        `${variable} must name a file of at most 64 KiB, this one has ${stats.size} bytes`,
      );
    if ((stats.mode & OTHERS) !== 0)
      throw new SecretFileError(
        `${variable} names a file that every user of this machine can use; run chmod o-rwx on it`,
      );
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (secret === '') throw new SecretFileError(`${variable} names an empty file; write the secret into it`);
    return secret;
  } finally {
    closeSync(file);
  }
}

const LARGEST_SECRET = 64 * 1024;
/** The bits of a mode that let other users read, write or execute a file. */
const OTHERS = 0o007;
