import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment of this process. No other file of the CLI reads `process.env`. */
export function environment(): Environment {
  return process.env;
}

/** The API that a command calls, and the token that it sends there. */
export interface ApiAddress {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly token: string;
}

/**
 * Reads `UNDERSTUDY_API_URL` and `UNDERSTUDY_API_TOKEN`. Neither variable has a corresponding option, because
 * arguments are visible to other users of the machine and stay in the shell's history.
 * @throws CliError if a variable is missing or malformed, or if an `http://` URL leads to another machine.
 * No message contains the token.
 */
export function readApiAddress(environment: Environment): ApiAddress {
  return {
    url: readUrl(environment['UNDERSTUDY_API_URL']),
    token: readToken(environment['UNDERSTUDY_API_TOKEN']),
  };
}

function readUrl(text: string | undefined): string {
  if (!text) throw usage('UNDERSTUDY_API_URL is not set: expected the URL of the API, as https://host/v1');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || !/^\/(.*\/)?v1\/?$/.test(url.pathname))
    throw usage('UNDERSTUDY_API_URL: expected a URL that ends in /v1, as https://host/v1');
  if (url.username || url.password || url.search || url.hash)
    throw usage('UNDERSTUDY_API_URL: expected no user, password, query or fragment');
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname))
    throw usage('UNDERSTUDY_API_URL: expected https://; http:// is accepted only for localhost');
  return url.href.replace(/\/$/, '');
}

function readToken(token: string | undefined): string {
  if (!token)
    throw usage('UNDERSTUDY_API_TOKEN is not set: expected an API token with the scope models:write');
  if (!/^[\x21-\x7e]+$/.test(token))
    throw usage('UNDERSTUDY_API_TOKEN: expected a token without spaces or line breaks');
  return token;
}

function usage(message: string): CliError {
  return new CliError(EXIT.usage, message);
}
