import { sslModeOf, type SslMode } from './encryption.js';

/** Thrown for an invalid connection URL. The message states what was expected and never quotes the URL. */
export class ConnectionUrlError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ConnectionUrlError';
  }
}

/**
 * Parses `postgres://user:password@host:port/database?sslmode=…` and rejects anything else. libpq and pg also accept
 * parameters that redirect the connection (`host`, `hostaddr`, `service`), read files (`sslcert`, `passfile`) or change
 * settings (`options`). These are rejected, because policies are checked against the host, port and database of the
 * result.
 * @throws ConnectionUrlError if the URL is invalid
 */
export function parseConnectionUrl(text: string): ConnectionTarget {
  const match = FORM.exec(text);
  if (match?.groups === undefined)
    throw new ConnectionUrlError(
      'expected postgresql://user:password@host:port/database, in which special characters are encoded, such as a space as %20',
    );
  const { user = '', password, host = '', port = '5432', database = '', query = '' } = match.groups;
  const bareHost = readHost(host);
  const sslMode = sslModeOf(bareHost, readParameters(query).get('sslmode'));
  const target = {
    host: bareHost,
    port: readPort(port),
    database: decode(database, 'the database name'),
    user: decode(user, 'the user name'),
    ...(password === undefined ? {} : { password: decode(password, 'the password') }),
    ...(sslMode === undefined ? {} : { sslMode }),
  };
  const shownHost = target.host.includes(':') ? `[${target.host}]` : target.host;
  return {
    ...target,
    display: `postgresql://${encodeURIComponent(target.user)}:***@${shownHost}:${target.port}/${encodeURIComponent(target.database)}`,
  };
}

// Matches a URL with one host, a database without a path below it, and no fragment. Special characters must be escaped.
const FORM =
  /^postgres(?:ql)?:\/\/(?<user>[^:/?#[\]@\s]+)(?::(?<password>[^:/?#[\]@\s]*))?@(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?<port>\d{1,5}))?\/(?<database>[^:/?#[\]@\s]+)(?:\?(?<query>[^#\s]*))?$/;

function readHost(host: string): string {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return bare.toLowerCase();
}

function readPort(text: string): number {
  const port = Number(text);
  if (port < 1 || port > 65_535) throw new ConnectionUrlError('expected a port from 1 to 65535');
  return port;
}

function decode(text: string, what: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new ConnectionUrlError(`${what} contains an invalid percent escape`);
  }
  // Later code could read a control character as a separator of a list, a connection string or a path.
  if (hasControlCharacter(decoded)) throw new ConnectionUrlError(`${what} contains a control character`);
  return decoded;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value, ...rest] = pair.split('=');
    const allowed = PARAMETERS.get(name);
    if (allowed === undefined || value === undefined || rest.length > 0) {
      throw new ConnectionUrlError(`unknown parameter: expected one of ${[...PARAMETERS.keys()].join(', ')}`);
    }
    if (parameters.has(name)) throw new ConnectionUrlError(`expected ${name} only once`);
    if (!allowed.test(value)) throw new ConnectionUrlError(`the value of ${name} is not allowed`);
    parameters.set(name, value);
  }
  return parameters;
}

const PARAMETERS = new Map([
  ['sslmode', /^(disable|prefer|require|verify-ca|verify-full)$/],
  ['application_name', /^[A-Za-z0-9 ._%-]{1,128}$/],
  ['connect_timeout', /^\d{1,4}$/],
]);

/**
 * The parameters of a connection to a database. Contains a password, so it must never be logged; log `display` instead.
 * Contains plain data only, because it is sent to the process of the snapshot keeper.
 */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** Absent if the connection is not encrypted. */
  readonly sslMode?: SslMode;
  /** The URL without the password, for messages and logs. */
  readonly display: string;
}
