import {
  type ConnectionTarget,
  isPlaintextRemote,
  SSL_MODES,
  type SslMode,
  sslModeOf,
} from '@understudy/postgres';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/** The environment variables that libpq reads, and the name of the operating system's user. */
export interface ConnectionDefaults {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userName: string;
}

const PARAMETERS = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'application_name',
  'connect_timeout',
];
const LIBPQ_MODES = ['disable', 'allow', 'prefer', ...SSL_MODES];

/**
 * Reads `postgresql://user:password@host:port/database?sslmode=…`. Missing parts come from PGHOST, PGPORT,
 * PGUSER, PGPASSWORD, PGDATABASE and PGSSLMODE, then from the defaults of libpq. A host that begins with a slash
 * is the folder of a Unix socket.
 * @throws CliError if the URL is invalid; the message quotes no part of the URL, which may contain a password
 */
export function readDatabaseUrl(
  text: string,
  { environment, userName }: ConnectionDefaults,
): ConnectionTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.slice(1).includes('/')) {
    throw refused('expected a database URL like postgresql://user@host:5432/database');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw refused(`unknown parameter in a database URL: expected one of ${PARAMETERS.join(', ')}`);
  const part = (raw: string, parameter: string, variable: string): string | undefined =>
    decode(raw) || url.searchParams.get(parameter) || environment[variable] || undefined;
  const user = part(url.username, 'user', 'PGUSER') ?? userName;
  const password = part(url.password, 'password', 'PGPASSWORD');
  const host = part(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host', 'PGHOST') ?? 'localhost';
  const port = Number(part(url.port, 'port', 'PGPORT') ?? '5432');
  const database = part(url.pathname.slice(1), 'dbname', 'PGDATABASE') ?? user;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw refused('invalid port in a database URL: expected 1 to 65535');
  if ([...`${user}${host}${database}`].some((character) => character < ' '))
    throw refused('the database URL contains a control character');
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    ...tls(host, url.searchParams.get('sslmode') ?? undefined, environment['PGSSLMODE']),
    display: `${user}@${host}:${port}/${database}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('the database URL contains an invalid percent escape');
  }
}

function tls(
  host: string,
  ofUrl: string | undefined,
  ofEnvironment: string | undefined,
): { sslMode?: SslMode } {
  const mode = ofUrl || ofEnvironment || undefined;
  if (mode !== undefined && !LIBPQ_MODES.includes(mode)) {
    throw refused(`invalid sslmode of a database: expected one of ${LIBPQ_MODES.join(', ')}`);
  }
  const sslMode = sslModeOf(host, mode);
  if (isPlaintextRemote({ host, ...(sslMode && { sslMode }) }) && ofUrl !== 'disable') {
    throw refused(
      'PGSSLMODE=disable does not apply to a server on another machine: add ?sslmode=disable to the URL',
    );
  }
  return sslMode === undefined ? {} : { sslMode };
}

function refused(message: string): CliError {
  return new CliError(EXIT.usage, message);
}
