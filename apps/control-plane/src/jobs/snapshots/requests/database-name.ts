import { kindOf } from '@understudy/sync-job';

import {
  readConnectionString,
  type ConnectionString,
} from '../../../agents/agent-work/connections/connection-string.js';

/** PostgreSQL's NAMEDATALEN − 1, in bytes. */
const MAX_DATABASE_BYTES = 63;
const EXPECTED =
  "expected the name of a database in the agent's policy file (1 to 63 letters, digits, dots, dashes and underscores), or a URL like postgresql://user:password@host:5432/database";

/** A database in a request of the snapshot API. */
export type NamedDatabase = ConnectionString & {
  /** The name that the API shows, never a URL. */
  readonly name: string;
};

/** @returns the database, or a problem whose message does not quote the text */
export function readDatabaseName(text: string): NamedDatabase | { readonly problem: string } {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return readReference(text);
  const read = readConnectionString(`agent:${text}`);
  if ('problem' in read || read.kind === 'url') return { problem: `${EXPECTED}, got ${kindOf(text)}` };
  return { ...read, name: read.name };
}

function readReference(text: string): NamedDatabase | { readonly problem: string } {
  const read = readConnectionString(text);
  if ('problem' in read || read.kind === 'agent') return read;
  const name = databaseOf(read.secret);
  if (name === undefined) {
    return { problem: `expected a URL whose database has a name of 1 to ${MAX_DATABASE_BYTES} bytes` };
  }
  return { ...read, name };
}

/** @returns undefined if the URL's path is not a valid database name */
function databaseOf(url: string): string | undefined {
  try {
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    const isName = Buffer.byteLength(name) <= MAX_DATABASE_BYTES && !/[/\p{Cc}]/u.test(name);
    return isName ? name : undefined;
  } catch {
    return undefined; // invalid percent-encoding
  }
}
