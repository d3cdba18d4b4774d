import { kindOf } from '@understudy/sync-job';

/**
 * A connection string from an API request. `display` hides the password. `secret` contains the password: seal
 * `secret` immediately and do not store it.
 */
export type ConnectionString =
  | { readonly kind: 'agent'; readonly name: string; readonly display: string }
  | { readonly kind: 'url'; readonly secret: string; readonly display: string };

const EXPECTED = 'expected agent:<name> or a URL like postgresql://user:password@host:5432/database';
const MAX_LENGTH = 2_048;
const AGENT = /^agent:([A-Za-z0-9_][A-Za-z0-9_.-]{0,62})$/;

/**
 * Parses a connection string of at most 2048 characters.
 * @returns the connection string, or a problem whose message does not quote the text
 */
export function readConnectionString(text: string): ConnectionString | { readonly problem: string } {
  if (text.length > MAX_LENGTH)
    return { problem: `expected at most ${MAX_LENGTH} characters, got ${text.length}` };
  if (text.startsWith('agent:')) {
    const [, name] = AGENT.exec(text) ?? [];
    if (name !== undefined) return { kind: 'agent', name, display: text };
    return {
      problem: 'expected agent:<name> with a name of 1 to 63 letters, digits, dots, dashes and underscores',
    };
  }
  if (!/^postgres(ql)?:\/\//.test(text)) return { problem: `${EXPECTED}, got ${kindOf(text)}` };
  // The URL class drops tabs and line feeds, so the displayed text would differ from the sealed one.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return { problem: 'expected a well-formed URL' };
  return readUrl(new URL(text), text);
}

function readUrl(url: URL, secret: string): ConnectionString | { readonly problem: string } {
  if (url.hostname === '') return { problem: 'the URL has no host' };
  const database = url.pathname.slice(1);
  if (database === '') return { problem: 'the URL has no database' };
  if (database.includes('/'))
    return { problem: 'expected only the name of a database in the path of the URL' };
  if (url.hash !== '') return { problem: 'the URL has a fragment; write %23 instead of # in a password' };
  if ([...url.searchParams.keys()].some((key) => OVERRIDES.has(key))) {
    return {
      problem: 'expected host, port, user, password and database in the URL itself, not in its parameters',
    };
  }
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`;
  return {
    kind: 'url',
    secret,
    display: `postgresql://${user}${url.hostname}:${url.port || '5432'}/${database}`,
  };
}

// Parameters that would connect to a different database than the displayed one.
const OVERRIDES = new Set(['host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'service', 'passfile']);
