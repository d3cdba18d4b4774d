import { ConfigurationError } from '../errors.js';
import { encodeJson, type JsonCodec, jsonParser, type LargeIntegers } from './json.js';
import { currentProcess } from './runtime.js';

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An attempt, as `onAttempt` receives it. */
export interface Attempt {
  /** The operation, for example `createSyncJob`. */
  readonly operation: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Absent if no response was received. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The time until the next attempt in seconds. Absent if this attempt was the last one. */
  readonly delay: number | undefined;
}

/** Options of the client. All times are in seconds. */
export interface UnderstudyOptions {
  /**
   * The API token: 1 to 512 visible ASCII characters. Default: the environment variable `UNDERSTUDY_API_TOKEN`.
   * With `null`, the client sends none.
   */
  readonly token?: string | null | undefined;
  /**
   * The URL of the control plane, with or without `/v1`. Default: the environment variable `UNDERSTUDY_API_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** The timeout of one attempt. Default: 30, at most 3,600. */
  readonly timeout?: number | undefined;
  /** For generated records: the longest time until the first byte, and between two reads. Default: 90, at most 3,600. */
  readonly generateTimeout?: number | undefined;
  /** The number of attempts after the first one. Default: 2, at most 10. */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After` that the client obeys. Default: 60. */
  readonly maxWait?: number | undefined;
  /** The base of the delays between attempts. Default: 0.5. */
  readonly retryBase?: number | undefined;
  /** Accepts `http://` for hosts other than this machine. The token is then readable on the network. */
  readonly allowPlaintext?: boolean | undefined;
  /**
   * How numbers are returned that a double cannot hold. Default: `string`, which returns their digits. A type with
   * `number` always has numbers, because the server counts with doubles; the values of records have the type `unknown`.
   */
  readonly largeIntegers?: LargeIntegers | undefined;
  /**
   * Replaces how JSON is read and written, for example by a library that keeps the digits of decimals, too. The option
   * `largeIntegers` then has no effect.
   */
  readonly json?: JsonCodec | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** Checked options with defaults. */
export interface Configuration {
  readonly token: string | null;
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly timeout: number;
  readonly generateTimeout: number;
  readonly maxRetries: number;
  readonly maxWait: number;
  readonly retryBase: number;
  readonly json: JsonCodec;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly fetch: Fetch;
}

const LONGEST_TIMEOUT = 3600;
const MAX_RETRIES = 10;

/** @throws ConfigurationError if an option is missing or invalid */
export function readConfiguration(options: UnderstudyOptions): Configuration {
  return {
    token: readToken(options.token),
    baseUrl: readBaseUrl(options.baseUrl, options.allowPlaintext === true),
    timeout: readTimeout('timeout', options.timeout, 30),
    generateTimeout: readTimeout('generateTimeout', options.generateTimeout, 90),
    maxRetries: readRetries(options.maxRetries, 2),
    maxWait: readNumber('maxWait', options.maxWait, 60, Infinity),
    retryBase: readNumber('retryBase', options.retryBase, 0.5, Infinity),
    json: options.json ?? {
      parse: jsonParser(readLargeIntegers(options.largeIntegers)),
      stringify: encodeJson,
    },
    onAttempt: options.onAttempt ?? (() => undefined),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

function readLargeIntegers(value: LargeIntegers | undefined = 'string'): LargeIntegers {
  if (['string', 'bigint', 'number'].includes(value)) return value;
  throw new ConfigurationError('largeIntegers: expected string, bigint or number');
}

export const readTimeout = (name: string, value: number | undefined, otherwise: number): number =>
  readNumber(name, value, otherwise, LONGEST_TIMEOUT);

export function readRetries(value: number | undefined, otherwise: number): number {
  const retries = readNumber('maxRetries', value, otherwise, MAX_RETRIES);
  if (Number.isInteger(retries)) return retries;
  throw new ConfigurationError(`maxRetries: expected an integer, received ${retries}`);
}

/** @throws ConfigurationError if `value` is given and is not a finite number from 0 to `atMost` */
export function readNumber(
  name: string,
  value: number | undefined,
  otherwise: number,
  atMost: number,
): number {
  if (value === undefined) return otherwise;
  const number: unknown = value;
  if (typeof number === 'number' && Number.isFinite(number) && number >= 0 && number <= atMost) return number;
  const range = atMost === Infinity ? 'a number that is not negative' : `a number from 0 to ${atMost}`;
  const received = typeof number === 'number' ? String(number) : typeof number;
  throw new ConfigurationError(`${name}: expected ${range}, received ${received}`);
}

function readToken(value: string | null | undefined): string | null {
  if (value === null) return null;
  const token: unknown = value ?? (currentProcess().env?.['UNDERSTUDY_API_TOKEN'] || undefined);
  if (token === undefined)
    throw new ConfigurationError(
      'token: expected an API token. Pass `token`, or set the environment variable UNDERSTUDY_API_TOKEN',
    );
  // The message does not contain the token.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(token))
    throw new ConfigurationError('token: expected 1 to 512 visible ASCII characters without spaces');
  return token;
}

function readBaseUrl(value: string | undefined, allowPlaintext: boolean): string {
  const text: unknown = value ?? (currentProcess().env?.['UNDERSTUDY_API_URL'] || undefined);
  if (text === undefined)
    throw new ConfigurationError(
      'baseUrl: expected the URL of the control plane. Pass `baseUrl`, or set the environment variable UNDERSTUDY_API_URL',
    );
  const url = typeof text === 'string' ? parsedUrl(text) : undefined;
  if (typeof text !== 'string' || url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(
      'baseUrl: expected an https:// URL, for example https://understudy.example.com',
    );
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text))
    throw new ConfigurationError('baseUrl: expected a URL without user name, password, query and fragment');
  if (url.protocol === 'http:' && !allowPlaintext && !isThisMachine(url.hostname))
    throw new ConfigurationError(
      `baseUrl: expected an https:// URL, received http:// for ${url.hostname}. With http://, others can read the token. Use https://, or pass allowPlaintext: true`,
    );
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}${path.endsWith('/v1') ? '' : '/v1'}`;
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined; // the caller reports it without the text, which may contain a password
  }
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
