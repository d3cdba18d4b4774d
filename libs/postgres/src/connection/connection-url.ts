import { sslModeOf, type SslMode } from './encryption.js';

/** Why a connection URL is refused. Says what was expected and never quotes what came. */
export class ConnectionUrlError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ConnectionUrlError';
  }
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…` and nothing more. libpq and pg understand parameters that
 * redirect the connection (`host`, `hostaddr`, `service`), read files (`sslcert`, `passfile`) or set the server up
 * (`options`): policy is checked against host, port and database of this result, so nothing else may decide them.
 * @throws ConnectionUrlError
 */
export function parseConnectionUrl(text: string): ConnectionTarget {
  const match = FORM.exec(text);
  if (match?.groups === undefined)
    throw new ConnectionUrlError('expected postgresql://user:password@host:port/database');
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

// One host, no path below the database, no fragment; what has a meaning in a URL must be escaped inside a part.
const FORM =
  /^postgres(?:ql)?:\/\/(?<user>[^:/?#[\]@\s]+)(?::(?<password>[^:/?#[\]@\s]*))?@(?<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?<port>\d{1,5}))?\/(?<database>[^:/?#[\]@\s]+)(?:\?(?<query>[^#\s]*))?$/;

function readHost(host: string): string {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return bare.toLowerCase();
}

function readPort(text: string): number {
  const port = Number(text);
  if (port < 1 || port > 65_535) throw new ConnectionUrlError('the port must be 1 to 65535');
  return port;
}

function decode(text: string, what: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new ConnectionUrlError(`${what} has a broken percent escape`);
  }
  // A name that is read as a list, a connection string or a path somewhere down the line is refused here.
  if (hasControlCharacter(decoded)) throw new ConnectionUrlError(`${what} holds a control character`);
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
      throw new ConnectionUrlError(`the only parameters are ${[...PARAMETERS.keys()].join(', ')}`);
    }
    if (parameters.has(name)) throw new ConnectionUrlError(`${name} is given twice`);
    if (!allowed.test(value)) throw new ConnectionUrlError(`${name} has a value that is not allowed`);
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
 * A database that policy admits, resolved and ready to dial. Holds a password: never logged; `display` is what may be. Plain data:
 * it is handed to the snapshot holder's process.
 */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** Absent: the connection is not encrypted. */
  readonly sslMode?: SslMode;
  /** Without the password. */
  readonly display: string;
}
