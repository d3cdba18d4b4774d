import { keptDatabases } from '../checks/leftovers.js';
import { targetFingerprint } from '../checks/target-fingerprint.js';
import { TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import { MARKS, type Written } from './writer.js';

/** A database of the target server. */
export interface Content {
  readonly name: string;
  readonly oid: string;
  readonly fingerprint: string;
}

/** The databases that the server must hold after a change: the target, and the one that the last change has replaced. */
export interface Position {
  readonly target: Content;
  readonly kept?: Content;
}

/** Reads the position from the server. It uses no code of the engine, and only the documented name of kept databases. */
export async function readPosition(system: TestSystem): Promise<Position> {
  const target = await contentOf(system, TARGET_DATABASE);
  if (target === undefined) throw new Error('the target does not exist');
  const [name] = await keptDatabases(system.target, TARGET_DATABASE);
  const kept = name === undefined ? undefined : await contentOf(system, name);
  return kept === undefined ? { target } : { target, kept };
}

async function contentOf({ target, binFolder }: TestSystem, name: string): Promise<Content | undefined> {
  const [row] = await target.query<{ oid: string }>(
    'postgres',
    'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = $1',
    [name],
  );
  if (row === undefined) return undefined;
  return { name, oid: row.oid, fingerprint: await targetFingerprint(`${target.url}/${name}`, binFolder) };
}

/** @returns one sentence for each database that nobody can connect to */
export async function closedDatabases({ target }: TestSystem): Promise<string[]> {
  const rows = await target.query<{ name: string }>(
    'postgres',
    `SELECT datname AS name FROM pg_catalog.pg_database
      WHERE pg_catalog.starts_with(datname, $1) AND (NOT datallowconn OR datconnlimit <> -1)`,
    [TARGET_DATABASE],
  );
  return rows.map(({ name }) => `nobody can connect to ${name}`);
}

/** @returns one sentence for each database that has lost a committed row */
export async function lostRows(
  { target }: TestSystem,
  position: Position,
  written: readonly Written[],
): Promise<string[]> {
  const lost: string[] = [];
  for (const { name, oid } of [position.target, position.kept].filter((one) => one !== undefined)) {
    const numbers = written.filter(({ database }) => database === oid).map(({ number }) => number);
    if (numbers.length === 0) continue;
    const missing = await target
      .query(
        name,
        `SELECT FROM pg_catalog.unnest($1::int[]) n WHERE n NOT IN (SELECT number FROM ${MARKS})`,
        [numbers],
      )
      .catch(() => numbers); // without its table, all of its rows are lost
    if (missing.length > 0)
      lost.push(`${name} has lost ${missing.length} of ${numbers.length} committed rows`);
  }
  return lost;
}
