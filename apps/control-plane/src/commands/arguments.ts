import { isAbsolute } from 'node:path';

import { InvalidArgumentError } from 'commander';

/** Reads the value of an option. @throws InvalidArgumentError unless it is a port from 0 to 65535 */
export function readPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('Expected a port number, 0 to 65535.');
  return Number(value);
}

/**
 * Reads the value of an option.
 * @throws InvalidArgumentError unless it is an absolute path that a file of variables can contain without escapes
 */
export function readAbsolutePath(value: string): string {
  if (!isAbsolute(value) || /["'\\\p{Cc}]/u.test(value))
    throw new InvalidArgumentError('Expected an absolute path without quotes, backslashes and line breaks.');
  return value.length > 1 ? value.replace(/\/+$/, '') : value;
}
