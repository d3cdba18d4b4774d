import { kindOf } from '@understudy/sync-job';

/** A connection string as the API takes it. `secret` holds a password: it is sealed at once and kept nowhere. */
export type ConnectionString =
  | { readonly kind: 'agent'; readonly name: string; readonly display: string }
  | { readonly kind: 'url'; readonly secret: string; readonly display: string };

const EXPECTED = 'expected agent:<name> or a URL like postgresql://user:password@host:5432/database';
const MAX_LENGTH = 2_048;
const AGENT = /^agent:([A-Za-z0-9_][A-Za-z0-9_.-]{0,62})$/;

/** @returns the problem in words that quote nothing of the text */
export function readConnectionString(text: string): ConnectionString | { readonly problem: string } {
  if (text.length > MAX_LENGTH)
    return { problem: `expected at most ${MAX_LENGTH} characters, got ${text.length}` };
  if (text.startsWith('agent:')) {
    const [, name] = AGENT.exec(text) ?? [];
    if (name !== undefined) return { kind: 'agent', name, display: text };
    return {
      problem: 'expected agent:<name>, a name of 1 to 63 letters, digits, dots, dashes and underscores',
    };
  }
  if (!/^postgres(ql)?:\/\//.test(text)) return { problem: `${EXPECTED}, got ${kindOf(text)}` };
  // URL drops tabs and line feeds and would so seal another text than it shows.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return { problem: 'expected a well-formed URL' };
  return readUrl(new URL(text), text);
}

function readUrl(url: URL, secret: string): ConnectionString | { readonly problem: string } {
  if (url.hostname === '') return { problem: 'the URL names no host' };
  const database = url.pathname.slice(1);
  if (database === '') return { problem: 'the URL names no database' };
  if (database.includes('/')) return { problem: 'the path of the URL is more than the name of a database' };
  if (url.hash !== '') return { problem: 'the URL has a fragment; write # as %23 inside a password' };
  if ([...url.searchParams.keys()].some((key) => OVERRIDES.has(key))) {
    return {
      problem: 'write host, port, user, password and database into the URL itself, not into its parameters',
    };
  }
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`;
  return {
    kind: 'url',
    secret,
    display: `postgresql://${user}${url.hostname}:${url.port || '5432'}/${database}`,
  };
}

// Parameters that would make the database another one than is displayed.
const OVERRIDES = new Set(['host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'service', 'passfile']);
