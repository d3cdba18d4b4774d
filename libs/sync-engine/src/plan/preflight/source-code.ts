import {
  ARE_MEMBERS,
  DEFINITION_GRAPH,
  findObjects,
  quoteTable,
  sqlNames,
  TYPES_OF_TRANSACTION,
} from '@understudy/postgres';
import type { NamedObjectKind, SyncProblem, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';
import type { Omission, OmittedPart, SourceObject, TablePlan } from '../table-plan.js';

/**
 * A part of a missing table's definition that is code of the source, or calls such code. Code is a function that
 * belongs neither to PostgreSQL nor to an extension of the target, or that could do more than compute a value.
 * A rule is code, and so is an object that calls such a function.
 */
export interface SourceCode {
  readonly tableIndex: number;
  /** Whether the rows can be copied without the part. A generated column needs a rule for its values. */
  readonly isNeeded: 'yes' | 'no' | 'without_rule';
  /** The name of the column, if the part belongs to one. */
  readonly column: string | undefined;
  /** The part, the types through which it calls the code, and the code. */
  readonly objects: readonly [SourceObject, ...SourceObject[]];
  /** The parts that a job leaves out to do without this code: the part itself, and the parts that cannot exist without it. */
  readonly dropped: readonly OmittedPart[];
}

export interface SourceCodeRequest {
  readonly plans: readonly Pick<TablePlan, 'index' | 'source' | 'target'>[];
  readonly source: LocatedClient;
  /** A client that is not in a transaction. */
  readonly target: LocatedClient;
}

/** Finds the code of the source that the definitions of the missing tables contain. Reads catalogs only. */
export async function findSourceCode(request: SourceCodeRequest): Promise<readonly SourceCode[]> {
  const missing = request.plans.filter((plan) => plan.target === undefined);
  if (missing.length === 0) return [];
  const oids = missing.map((plan) => plan.source.oid);
  const { rows } = await request.source.query<GraphRow>(DEFINITION_GRAPH, [oids, []]);
  const onTarget = await readTarget(request.target, rows);
  return codeIn(rows, onTarget, new Map(missing.map((plan) => [plan.source.oid, plan.index])));
}

/**
 * Finds code of the source in the tables that the current transaction of the target has created. Reads only the catalogs
 * of the target, because a superuser of the source can change those of the source.
 */
export async function findCreatedCode(
  target: LocatedClient,
  plans: readonly Pick<TablePlan, 'index' | 'name'>[],
): Promise<readonly SourceCode[]> {
  const { rows: tables } = await target.query<{ oid: string | null }>(
    'SELECT pg_catalog.to_regclass(name)::oid::text AS oid FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS n (name, nr) ORDER BY nr',
    [plans.map(({ name }) => quoteTable(name))],
  );
  const indexOf = new Map(plans.flatMap(({ index }, i) => (tables[i]?.oid ? [[tables[i].oid, index]] : [])));
  const { rows } = await target.query<GraphRow>(DEFINITION_GRAPH, [[...indexOf.keys()], []]);
  const types = rows.filter(({ catalog }) => catalog === 'pg_type').map(({ oid }) => oid);
  const { rows: created } = await target.query<{ oid: string }>(TYPES_OF_TRANSACTION, [types]);
  const isCreated = ({ catalog, oid }: GraphRow) =>
    catalog === 'pg_type' && created.some((type) => type.oid === oid);
  const known = new Set(rows.filter((row) => !row.is_part && !isCreated(row)).map(keyOf));
  return codeIn(rows, { known, harmless: await harmlessAmong(target, rows) }, indexOf);
}

/**
 * Chooses what a job that omits code of the source leaves out, and what it must refuse.
 * @param hasRule whether a rule sets the values of a column
 */
export function omitSourceCode(
  found: readonly SourceCode[],
  hasRule: (tableIndex: number, column: string) => boolean,
): { readonly omitted: readonly OmittedPart[]; readonly refused: readonly SourceCode[] } {
  const isRefused = ({ isNeeded, tableIndex, column }: SourceCode) =>
    isNeeded === 'yes' || (isNeeded === 'without_rule' && !hasRule(tableIndex, column ?? ''));
  const refused = found.filter(isRefused);
  const dropped = found.filter((code) => !refused.includes(code)).flatMap((code) => code.dropped);
  return { omitted: [...new Map(dropped.map((part) => [part.object.address, part])).values()], refused };
}

/** Returns a warning for each kind of parts that the job leaves out of a table. */
export function omissionWarnings(plans: readonly TablePlan[]): readonly SyncWarning[] {
  return plans.flatMap(({ index, omitted = [] }) => {
    const counts = new Map<Omission, number>();
    for (const { warning } of omitted) {
      if (warning !== undefined) counts.set(warning, (counts.get(warning) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([code, count]) => ({ code, tableIndex: index, count }));
  });
}

/** Returns a problem for each object. */
export function sourceCodeProblems(found: readonly SourceCode[]): readonly SyncProblem[] {
  return objectsIn(found).map(({ tableIndex, object }) => sourceCodeProblem(tableIndex, object));
}

export function sourceCodeProblem(
  tableIndex: number,
  { kind, schema, name }: SourceObject,
): SyncProblem & { readonly code: 'source_code_refused' } {
  const object = { kind, ...sqlNames({ schema, name }) };
  return { code: 'source_code_refused', side: 'source', tableIndex, object };
}

/** Returns all objects as one text for a log. */
export function textOf(found: readonly SourceCode[]): string {
  const texts = objectsIn(found).map(({ object }) => object.text);
  return `code of the source: ${texts.join(', ')}`;
}

function objectsIn(found: readonly SourceCode[]): readonly { tableIndex: number; object: SourceObject }[] {
  const objects = new Map<string, { tableIndex: number; object: SourceObject }>();
  for (const { tableIndex, objects: some } of found) {
    for (const object of some)
      if (!objects.has(object.address)) objects.set(object.address, { tableIndex, object });
  }
  return [...objects.values()];
}

/**
 * Gives the log the names of what the job leaves out. If the policy wants it reported, logs the code of the source
 * that the job creates. This message names every object, because the command line prints only messages.
 */
export async function reportSourceCode(
  {
    isOmitting,
    ...request
  }: Omit<SourceCodeRequest, 'plans'> & {
    readonly plans: readonly TablePlan[];
    readonly isOmitting: boolean;
  },
  environment: Pick<SyncEnvironment, 'policy' | 'log' | 'onNames'>,
): Promise<void> {
  const omitted = request.plans.flatMap((plan) => plan.omitted ?? []);
  const objects = omitted.flatMap(({ warning, object }) => (warning === undefined ? [] : [object.text]));
  if (objects.length > 0) logNames(environment, { about: 'omitted', objects: objects.sort() });
  const { policy, log } = environment;
  if (isOmitting || policy.rules.allowSourceCode !== 'report') return;
  const found = await findSourceCode(request);
  if (found.length > 0) log.warn({}, `creates on the target ${textOf(found)}`);
}

interface GraphRow {
  classid: string;
  oid: string;
  catalog: string;
  /** True if the object is part of a table, such as a constraint. */
  is_part: boolean;
  kind: string;
  schema: string | null;
  name: string | null;
  identity: string;
  constraint_type: string | null;
  is_generated: boolean;
  /** The extension that the object is a member of. */
  extension: string | null;
  of_table: string | null;
  /** The keys of the objects that this object uses. */
  uses: string[];
  /** Whether the object itself calls a function of PostgreSQL that runs SQL or changes the server. */
  runs_code: boolean;
  type: string;
  names: string[];
  args: string[];
}

interface OnTarget {
  /** The keys of the objects that the target has and the job therefore does not create. */
  readonly known: ReadonlySet<string>;
  /** The keys of the functions that belong to the same extension on the target, and only compute a value. */
  readonly harmless: ReadonlySet<string>;
}

async function readTarget(target: LocatedClient, rows: readonly GraphRow[]): Promise<OnTarget> {
  await target.query('BEGIN READ ONLY');
  try {
    const others = rows.filter((row) => !row.is_part);
    const known = await findObjects(target, others);
    return { known: new Set([...known].map(keyOf)), harmless: await harmlessAmong(target, [...known]) };
  } finally {
    await target.query('ROLLBACK');
  }
}

async function harmlessAmong(target: LocatedClient, rows: readonly GraphRow[]): Promise<ReadonlySet<string>> {
  const members = rows.filter(({ catalog, extension }) => catalog === 'pg_proc' && extension !== null);
  const { rows: found } = await target.query<{ member: boolean; pure: boolean }>(ARE_MEMBERS, [
    members.map(({ identity }) => identity),
    members.map(({ extension }) => extension),
  ]);
  const isHarmless = ({ extension }: GraphRow, i: number) =>
    found[i]?.member === true && (found[i].pure || HARMLESS_EXTENSIONS.has(extension ?? ''));
  return new Set(members.filter(isHarmless).map(keyOf));
}

function codeIn(
  rows: readonly GraphRow[],
  { known, harmless }: OnTarget,
  indexOf: ReadonlyMap<string, number>,
): readonly SourceCode[] {
  const nodes = new Map(rows.map((row) => [keyOf(row), row]));
  const isCode = (row: GraphRow) => {
    if (row.runs_code) return true;
    if (row.catalog === 'pg_proc') return !harmless.has(keyOf(row));
    // The catalogs do not assign the functions of an operator class to the class itself.
    return CALLING.has(row.catalog) && (row.extension === null || !known.has(keyOf(row)));
  };
  const extensions = rows.filter((row) => row.catalog === 'pg_extension' && !known.has(keyOf(row)));
  // An extension that the target lacks is named instead of its members.
  const shown = (row: GraphRow) => extensions.find(({ name }) => name === row.extension) ?? row;
  const parts = rows.filter((row) => row.is_part && indexOf.has(row.of_table ?? ''));
  const usedBy = new Map<string, GraphRow[]>();
  for (const part of parts) for (const key of part.uses) usedBy.set(key, [...(usedBy.get(key) ?? []), part]);
  const tableIndexOf = (part: GraphRow) => indexOf.get(part.of_table ?? '') ?? -1;
  return parts.flatMap((part) => {
    const reached = reachedFrom(part, nodes, known);
    const code = reached.filter(isCode);
    if (code.length === 0 && part.catalog !== 'pg_rewrite' && !part.runs_code) return [];
    const types = reached.filter(({ catalog }) => catalog === 'pg_type');
    const callers = types.filter((one) => reachedFrom(one, nodes, known).some(isCode));
    const others = [...new Set([...callers, ...code].map(shown))];
    const dropped = droppedWith(part, nodes, usedBy);
    return {
      tableIndex: tableIndexOf(part),
      isNeeded: part.is_generated ? 'without_rule' : omissionOf(part) === undefined ? 'yes' : 'no',
      column: part.catalog === 'pg_attrdef' ? (part.name ?? undefined) : undefined,
      objects: [describe(part), ...others.map(describe)],
      dropped: dropped.map((row) => ({
        ...{ tableIndex: tableIndexOf(row), object: describe(row) },
        generatedColumn: row.is_generated ? (row.name ?? undefined) : undefined,
        warning: belongsToAnother(row, dropped) ? undefined : omissionOf(row),
      })),
    };
  });
}

/** Returns a part with the parts that cannot exist without it: the key of an index, and foreign keys to this key. */
function droppedWith(
  part: GraphRow,
  nodes: ReadonlyMap<string, GraphRow>,
  usedBy: ReadonlyMap<string, readonly GraphRow[]>,
): readonly GraphRow[] {
  if (omissionOf(part) === undefined) return [];
  const dropped = new Set([part]);
  for (const one of dropped) {
    const keys = isIndex(one) ? one.uses.flatMap((key) => nodes.get(key) ?? []) : [];
    const own = keys.filter(({ is_part: isPart, catalog }) => isPart && catalog === 'pg_constraint');
    for (const next of [...own, ...(usedBy.get(keyOf(one)) ?? [])]) dropped.add(next);
  }
  return [...dropped];
}

/** The index of a key is left out with the key, and the constraint of a constraint trigger with the trigger. */
function belongsToAnother(row: GraphRow, dropped: readonly GraphRow[]): boolean {
  const isKey = (key: string) => dropped.some((one) => keyOf(one) === key && one.catalog === 'pg_constraint');
  return isIndex(row) ? row.uses.some(isKey) : row.constraint_type === 't';
}

function isIndex({ catalog, kind }: GraphRow): boolean {
  return catalog === 'pg_class' && kind.endsWith('index');
}

/** @returns undefined for a part that the rows need */
function omissionOf(row: GraphRow): Omission | undefined {
  if (isIndex(row)) return 'index_omitted';
  return row.is_generated ? 'generation_omitted' : OMISSIONS[row.catalog];
}

const OMISSIONS: Readonly<Record<string, Omission>> = {
  pg_attrdef: 'default_omitted',
  pg_constraint: 'constraint_omitted',
  pg_trigger: 'trigger_omitted',
  pg_rewrite: 'rule_omitted',
  pg_policy: 'policy_omitted',
  pg_statistic_ext: 'statistics_omitted',
};

/**
 * Extensions of which no function runs SQL, or changes more than the row that it gets. Of other extensions, only immutable
 * functions are called. docs/guides/run-an-agent.md lists them, too.
 */
export const HARMLESS_EXTENSIONS: ReadonlySet<string> = new Set([
  ...['citext', 'hstore', 'insert_username', 'ltree', 'moddatetime', 'pg_trgm', 'pgcrypto', 'unaccent'],
  'uuid-ossp',
]);

/** Catalogs of objects that always have functions of their own. */
const CALLING = new Set(['pg_opclass', 'pg_am', 'pg_language']);

/**
 * Returns the objects that an object uses, directly or through other objects. Leaves out types that the target
 * has, and what they use: the job does not create them.
 */
function reachedFrom(
  start: GraphRow,
  nodes: ReadonlyMap<string, GraphRow>,
  known: ReadonlySet<string>,
): readonly GraphRow[] {
  const reached = new Set<GraphRow>();
  const open = [start];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const key of one.uses) {
      const next = nodes.get(key);
      if (next === undefined || next === start || reached.has(next)) continue;
      // Every part uses its table, but not the table's other parts.
      if (next.is_part && next.catalog === 'pg_class') continue;
      if (next.catalog === 'pg_type' && known.has(key)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return [...reached];
}

function describe(row: GraphRow): SourceObject {
  const { catalog, constraint_type: constraint, is_generated: isGenerated, schema, name, identity } = row;
  const kinds: Readonly<Record<string, NamedObjectKind>> = {
    pg_proc: 'function',
    pg_type: 'type',
    pg_opclass: 'operator_class',
    pg_extension: 'extension',
    pg_trigger: 'trigger',
    pg_rewrite: 'rule',
    pg_policy: 'policy',
    pg_constraint: 'constraint',
    pg_attrdef: isGenerated ? 'generated_column' : 'default',
    pg_class: row.kind.endsWith('index') ? 'index' : 'relation',
  };
  const label = constraint === 'c' ? 'CHECK constraint' : isGenerated ? 'generated column' : row.kind;
  return {
    address: keyOf(row),
    kind: kinds[catalog] ?? 'other',
    ...(schema === null || catalog === 'pg_constraint' ? {} : { schema }),
    name: name ?? identity,
    text: `${label} ${identity}`,
  };
}

function keyOf({ classid, oid }: Pick<GraphRow, 'classid' | 'oid'>): string {
  return `${classid} ${oid}`;
}
