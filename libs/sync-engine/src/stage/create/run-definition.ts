import { NAMED_OBJECT, sqlNames, type Client } from '@understudy/postgres';
import { findCreatedCode, sourceCodeProblems, textOf } from '../../plan/preflight/source-code.js';
import { defined, type NamedObject, type NamedObjectKind, SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { FailureContext } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';

export interface DefinitionContext {
  /** A client of the database that pg_dump has read. */
  readonly source: LocatedClient;
  readonly plans: readonly TablePlan[];
}

/**
 * Runs SQL of pg_dump that creates the missing tables with their objects. Call it in a transaction.
 * @throws SyncJobError create_failed with the table or object that the SQL could not create. It also has the object that
 * is missing, as far as the server's message and the source's catalogs show it. table_altered if a table is missing that
 * the SQL has created. source_code_refused if the SQL has created code that the job must not create.
 */
export async function runDefinition(
  client: LocatedClient,
  sql: string,
  { source, plans }: DefinitionContext,
): Promise<void> {
  const [only, ...others] = plans.filter(({ target }) => target === undefined);
  const isOnly = only !== undefined && others.length === 0;
  const creating = client.with({ otherwise: 'create_failed' });
  try {
    await (isOnly ? creating.at(only.index) : creating).query(sql);
  } catch (error) {
    if (!(error instanceof SyncJobError) || error.failure.code !== 'create_failed') throw error;
    throw await named(error, sql, client.context, { source, plans }).catch(() => error);
  }
  await refuseCreatedCode(client, plans);
}

async function refuseCreatedCode(client: LocatedClient, plans: readonly TablePlan[]): Promise<void> {
  const created = plans.filter((plan) => plan.refusesCode === true);
  if (created.length === 0) return;
  const found = await findCreatedCode(client, created);
  const [first, ...others] = sourceCodeProblems(found);
  if (first === undefined) return;
  const problems = [first, ...others];
  throw new SyncJobError(
    { ...first, problems, problemCount: problems.length },
    { cause: new Error(`created ${textOf(found)}`) },
  );
}

async function named(
  error: SyncJobError,
  sql: string,
  { side, tableIndexOf }: FailureContext,
  { source, plans }: DefinitionContext,
): Promise<SyncJobError> {
  const { failure, cause } = error;
  const { position, code = '', message = '' } = cause as ServerError;
  const entry = position === undefined ? undefined : entryAt(sql, Number(position));
  const created = entry && tableOf(entry, tableIndexOf);
  const tableIndex = created ?? failure.tableIndex;
  const creating =
    created === undefined && entry ? await find(source, nameOf(entry), KINDS[entry.type]) : undefined;
  const missing = missingIn(code, message);
  const object = missing && (await find(source, missing.name, missing.kind));
  const altered = object && plans.find((plan) => isCreated(plan, object));
  // The SQL creates each table before it refers to it.
  if (altered !== undefined)
    return new SyncJobError({ code: 'table_altered', side, tableIndex: altered.index }, { cause });
  const location = defined({ tableIndex });
  if (object === undefined && creating === undefined)
    return new SyncJobError({ ...failure, ...location }, { cause });
  const problems = [{ code: failure.code, side, ...location, ...defined({ object, creating }) }];
  return new SyncJobError({ ...failure, ...location, problems, problemCount: 1 }, { cause });
}

function isCreated({ name, target }: TablePlan, { kind, schema, name: table }: NamedObject): boolean {
  return target === undefined && kind === 'relation' && name.schema === schema && name.table === table;
}

/** The fields of an error of PostgreSQL. `position` counts characters of the SQL, from 1. */
interface ServerError {
  readonly code?: string;
  readonly message?: string;
  readonly position?: string;
}

/** The comment that pg_dump writes before an object. */
interface Entry {
  readonly type: string;
  readonly schema: string;
  /** The object's name. For a part of a table, the names of the table and of the part. */
  readonly tag: string;
}

function entryAt(sql: string, position: number): Entry | undefined {
  const entries = sql.slice(0, position).matchAll(/^-- Name: (.+); Type: (.+); Schema: (.+); Owner:/gm);
  const [, tag, type, schema] = [...entries].at(-1) ?? [];
  return tag === undefined || type === undefined || schema === undefined ? undefined : { tag, type, schema };
}

function tableOf({ schema, tag }: Entry, tableIndexOf: FailureContext['tableIndexOf']): number | undefined {
  const words = tag.split(' ');
  const names = words.map((_, i) => words.slice(0, words.length - i).join(' '));
  return names.map((name) => tableIndexOf?.(schema, name)).find((index) => index !== undefined);
}

function nameOf({ schema, tag }: Entry): string {
  const [name = ''] = tag.split('(');
  return schema === '-' ? name : `${schema}.${name}`;
}

const KINDS: Readonly<Record<string, NamedObjectKind>> = {
  TABLE: 'relation',
  SEQUENCE: 'relation',
  FUNCTION: 'function',
  PROCEDURE: 'function',
  AGGREGATE: 'function',
  TYPE: 'type',
  DOMAIN: 'type',
  EXTENSION: 'extension',
  SCHEMA: 'schema',
  COLLATION: 'collation',
  'OPERATOR CLASS': 'operator_class',
};

/** Reads the name of the missing object from a message in any language. The caller looks it up in the catalogs. */
function missingIn(code: string, message: string): { name: string; kind?: NamedObjectKind } | undefined {
  const name = (code === '42883' ? /([^\s(]+)\(/ : /["«„“]([^"»“”]+)["»“”]/).exec(message)?.[1];
  const kind = MISSING[code];
  if (name === undefined || kind === undefined) return undefined;
  return kind === 'any' ? { name } : { name, kind };
}

const MISSING: Readonly<Record<string, NamedObjectKind | 'any'>> = {
  '3F000': 'schema',
  '42704': 'any',
  '42883': 'function',
  '42P01': 'relation',
  '0A000': 'extension',
  '58P01': 'extension',
};

async function find(
  source: Client,
  text: string,
  kind: NamedObjectKind | undefined,
): Promise<NamedObject | undefined> {
  const { rows } = await source.query<{ kind: NamedObjectKind; schema: string | null; name: string }>(
    NAMED_OBJECT,
    [text, kind ?? null],
  );
  const [row] = rows;
  const names = sqlNames({ name: row?.name, schema: row?.schema });
  return row === undefined || names.name === undefined ? undefined : { kind: row.kind, ...names };
}
