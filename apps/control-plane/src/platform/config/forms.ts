import { isIP } from 'node:net';

import { ACCEPTED_NATS_URLS, isAcceptedNatsUrl } from '@understudy/agent-protocol/nats-trust';
import type { EnvironmentReader, Form } from '@understudy/operator-commands';

export const port = (fallback: number): Form<number> => ({
  fallback: String(fallback),
  read: (reader, name) => {
    const value = reader.text(name, String(fallback));
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    return reader.problem(`${name} must be a port number, 0 to 65535`, fallback);
  },
});

/** A list of 1 to 100 integers of seconds from 0 to `max`, separated by commas. The values are in milliseconds. */
export const listOfSeconds = (max: number, fallbackMs: readonly number[]): Form<readonly number[]> => {
  const fallback = fallbackMs.map((ms) => ms / 1_000);
  const isRight = (entry: string) => /^\d{1,9}$/.test(entry.trim()) && Number(entry) <= max;
  return {
    fallback: fallback.join(', '),
    read: (reader, name) => {
      const entries = reader.text(name, fallback.join(',')).split(',');
      if (entries.length <= 100 && entries.every(isRight))
        return entries.map((entry) => 1_000 * Number(entry));
      const expected = `a list of 1 to 100 integers from 0 to ${max}, separated by commas`;
      return reader.problem(`${name} must be ${expected}`, fallbackMs);
    },
  };
};

/** The URL of a website or an API, whose default depends on other variables. */
export const webUrl = (shown: string): Form<string> => ({
  fallback: shown,
  read: (reader, name, otherwise) =>
    checkedUrl(reader, name, ['http:', 'https:'], reader.text(name, otherwise)),
});

/** A NATS URL that agents would accept. */
export const natsUrl = (shown: string): Form<string> => ({
  fallback: shown,
  read: (reader, name, otherwise) => {
    const value = reader.text(name, otherwise);
    if (value === '' || value === otherwise || isAcceptedNatsUrl(value)) return value; // the default is the value of another variable, which was checked
    return reader.problem(`${name} must be ${ACCEPTED_NATS_URLS}`, '');
  },
});

type Secret = Form<string> & { readonly isSecret: true };

/** A URL that contains a password. */
export const secretUrl = (...protocols: readonly string[]): Secret => ({
  ...{ fallback: 'required', isSecret: true },
  read: (reader, name) => checkedUrl(reader, name, protocols, reader.secret(name)),
});

/** @param prefix the prefix of the nkey seed: `SO` for an operator, `SA` for an account */
export const seed = (prefix: 'SO' | 'SA'): Secret => ({
  ...{ fallback: 'required', isSecret: true },
  read: (reader, name) => {
    const value = reader.secret(name);
    if (value === '' || (value.startsWith(prefix) && /^[A-Z2-7]{58}$/.test(value))) return value;
    return reader.problem(`${name} must be an nkey seed that starts with ${prefix}`, '');
  },
});

/** A secret of at least `minLength` characters. Without `shown`, it has no default. */
export const secretText = (minLength: number, shown?: string): Secret => ({
  ...{ fallback: shown ?? 'required', isSecret: true },
  read: (reader, name, otherwise) => {
    const value = reader.secret(name, otherwise);
    if (value === '' || value === otherwise || value.length >= minLength) return value;
    return reader.problem(`${name} must have at least ${minLength} characters`, otherwise ?? '');
  },
});

/** A list of IP addresses and networks, separated by commas. The default is an empty list. */
export const networks: Form<readonly string[]> = {
  fallback: 'none',
  read: (reader, name) => {
    const entries = entriesOf(reader, name);
    if (entries.every(isNetwork)) return entries;
    const expected = 'IP addresses or networks like 10.0.0.0/8, separated by commas';
    return reader.problem(`${name} must be ${expected}`, []);
  },
};

/** A list of allowed values, separated by commas. The default is an empty list. */
export const someOf = <const T extends string>(allowed: readonly T[]): Form<readonly T[]> => ({
  fallback: 'none',
  read: (reader, name) => {
    const entries = entriesOf(reader, name);
    const found = allowed.filter((value) => entries.includes(value));
    if (entries.every((entry) => allowed.some((value) => value === entry))) return found;
    return reader.problem(`${name} must be a list of ${allowed.join(', ')}, separated by commas`, found);
  },
});

/**
 * A JSON value.
 * @param expected describes the valid values in the error message
 * @param convert converts the parsed value; returns undefined if the value is invalid
 */
export const json = <T>(
  expected: string,
  convert: (value: unknown) => T | undefined,
  fallback: T,
): Form<T> => ({
  fallback: 'none',
  read: (reader, name) => {
    const value = reader.text(name, '');
    if (value === '') return fallback;
    return convert(parsed(value)) ?? reader.problem(`${name} must be ${expected}`, fallback);
  },
});

function checkedUrl(
  reader: EnvironmentReader,
  name: string,
  protocols: readonly string[],
  url: string,
): string {
  if (url === '') return url; // already reported
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return url;
  const expected = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return reader.problem(`${name} must be a URL that starts with ${expected}`, '');
}

function entriesOf(reader: EnvironmentReader, name: string): string[] {
  return reader
    .text(name, '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** @returns undefined if the text is not JSON */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined; // the caller reports a message with the expected value
  }
}

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
