import { isAbsolute } from 'node:path';

import { InvalidArgumentError } from 'commander';

import { isName } from '../platform/http/dto/comparable-text.js';

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

/** Reads the value of an option. @throws InvalidArgumentError unless it is a name that people can see */
export function readName(value: string, max: number): string {
  if (!isName(value, max))
    throw new InvalidArgumentError(`Expected 1 to ${max} characters, not all of them invisible.`);
  return value;
}

export const readOrganizationName = (value: string): string => readName(value.trim(), 200);

export function readOrganizationId(value: string): string {
  if (!/^org_[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    throw new InvalidArgumentError('Expected org_ and 26 characters.');
  return value;
}

export function readMemberId(value: string): string {
  if (!/^mem_[0-9A-HJKMNP-TV-Z]{26}$/.test(value))
    throw new InvalidArgumentError('Expected mem_ and 26 characters.');
  return value;
}
