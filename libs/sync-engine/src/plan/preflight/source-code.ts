import {
  ARE_MEMBERS,
  type Client,
  DEFINITION_GRAPH,
  type EngineLog,
  findObjects,
  sqlName,
} from '@understudy/postgres';
import type { NamedObjectKind, SyncProblem } from '@understudy/sync-job';
import { guard } from '../../session/guard.js';
import type { FailureContexts } from '../../session/failure-contexts.js';
import type { SyncPolicy } from '../../policy.js';
import type { TablePlan } from '../table-plan.js';

/**
 * An object of a missing table's definition that is code of the source. Code is a function that belongs neither
 * to PostgreSQL nor to an extension of the target, a rule, or an object that calls such a function.
 */
export interface SourceCode {
  readonly tableIndex: number;
  readonly kind: NamedObjectKind;
  readonly schema?: string;
  readonly name: string;
  /** The object as text for a log, such as `function public.ok(integer)`. */
  readonly text: string;
}

export interface SourceCodeRequest {
  readonly plans: readonly TablePlan[];
  readonly source: Client;
  /** A client that is not in a transaction. */
  readonly target: Client;
  readonly contexts: FailureContexts;
}

/** Finds the code of the source that the definitions of the missing tables contain. Reads catalogs only. */
export async function findSourceCode(request: SourceCodeRequest): Promise<readonly SourceCode[]> {
  const missing = request.plans.filter((plan) => plan.target === undefined);
  if (missing.length === 0) return [];
  const { source, contexts } = request;
  const oids = missing.map((plan) => plan.source.oid);
  const { rows } = await guard(contexts.on('source'), () => source.query<GraphRow>(DEFINITION_GRAPH, [oids]));
  const onTarget = await guard(contexts.on('target'), () => readTarget(request.target, rows));
  return codeIn(rows, onTarget, new Map(missing.map((plan) => [plan.source.oid, plan.index])));
}

/** Returns a problem for each object, for a policy that refuses code of the source. */
export function sourceCodeProblems(found: readonly SourceCode[]): readonly SyncProblem[] {
  return found.map(({ tableIndex, kind, schema, name }) => {
    const [schemaName, objectName] = [sqlName(schema ?? ''), sqlName(name)];
    const object = {
      kind,
      ...(schema === undefined || schemaName === undefined ? {} : { schema: schemaName }),
      ...(objectName === undefined ? {} : { name: objectName }),
    };
    return { code: 'source_code_refused', side: 'source', tableIndex, object };
  });
}

/** Returns all objects as one text for a log. */
export function textOf(found: readonly SourceCode[]): string {
  return `code of the source: ${found.map(({ text }) => text).join(', ')}`;
}

/**
 * Logs the code of the source that the job creates, if the policy wants it reported. The message names every
 * object, because the command line prints only messages.
 */
export async function reportSourceCode(
  request: SourceCodeRequest,
  { policy, log }: { readonly policy: Pick<SyncPolicy, 'sourceCode'>; readonly log: EngineLog },
): Promise<void> {
  if (policy.sourceCode !== 'report') return;
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
  type: string;
  names: string[];
  args: string[];
}

interface OnTarget {
  /** The keys of the objects that the target has and the job therefore does not create. */
  readonly known: ReadonlySet<string>;
  /** The keys of the functions that belong to the same extension on the target. */
  readonly ofExtensions: ReadonlySet<string>;
}

async function readTarget(target: Client, rows: readonly GraphRow[]): Promise<OnTarget> {
  await target.query('BEGIN READ ONLY');
  try {
    const others = rows.filter((row) => !row.is_part);
    const known = await findObjects(target, others);
    const members = [...known].filter(
      ({ catalog, extension }) => catalog === 'pg_proc' && extension !== null,
    );
    const { rows: found } = await target.query<{ member: boolean }>(ARE_MEMBERS, [
      members.map(({ identity }) => identity),
      members.map(({ extension }) => extension),
    ]);
    return {
      known: new Set([...known].map(keyOf)),
      ofExtensions: new Set(members.filter((_, i) => found[i]?.member === true).map(keyOf)),
    };
  } finally {
    await target.query('ROLLBACK');
  }
}

function codeIn(
  rows: readonly GraphRow[],
  { known, ofExtensions }: OnTarget,
  indexOf: ReadonlyMap<string, number>,
): readonly SourceCode[] {
  const nodes = new Map(rows.map((row) => [keyOf(row), row]));
  const isCode = (row: GraphRow) => {
    if (row.catalog === 'pg_proc') return !ofExtensions.has(keyOf(row));
    // The catalogs do not assign the functions of an operator class to the class itself.
    return CALLING.has(row.catalog) && (row.extension === null || !known.has(keyOf(row)));
  };
  const extensions = rows.filter((row) => row.catalog === 'pg_extension' && !known.has(keyOf(row)));
  // An extension that the target lacks is named instead of its members.
  const shown = (row: GraphRow) => extensions.find(({ name }) => name === row.extension) ?? row;
  const found = new Map<string, SourceCode>();
  for (const part of rows.filter((row) => row.is_part)) {
    const tableIndex = indexOf.get(part.of_table ?? '');
    if (tableIndex === undefined) continue;
    const reached = reachedFrom(part, nodes, known);
    const code = reached.filter(isCode);
    if (code.length === 0 && part.catalog !== 'pg_rewrite') continue;
    const types = reached.filter(({ catalog }) => catalog === 'pg_type');
    const callers = types.filter((one) => reachedFrom(one, nodes, known).some(isCode));
    for (const one of [part, ...[...callers, ...code].map(shown)]) {
      const key = keyOf(one);
      if (!found.has(key)) found.set(key, describe(one, tableIndex));
    }
  }
  return [...found.values()];
}

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

function describe(row: GraphRow, tableIndex: number): SourceCode {
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
    tableIndex,
    kind: kinds[catalog] ?? 'other',
    ...(schema === null || catalog === 'pg_constraint' ? {} : { schema }),
    name: name ?? identity,
    text: `${label} ${identity}`,
  };
}

function keyOf({ classid, oid }: Pick<GraphRow, 'classid' | 'oid'>): string {
  return `${classid} ${oid}`;
}
