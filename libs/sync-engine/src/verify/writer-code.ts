import { quoteTable, releasingLocks, type Client } from '@understudy/postgres';
import type { TablePlan } from '../plan/table-plan.js';
import type { LocatedClient } from '../session/located-client.js';

/** SQL outside of a table with which others write its rows. */
export interface WriterCode {
  readonly tableIndex: number;
  readonly code: string;
  /** The search path that a function sets. */
  readonly path: string | null;
}

/**
 * Reads the code with which others write rows of a job's tables: on the source for all tables, and on the target for
 * those that it had before the job.
 */
export async function readWriters({
  plans,
  source,
  target,
}: {
  readonly plans: readonly Pick<TablePlan, 'index' | 'name' | 'target'>[];
  readonly source: LocatedClient;
  readonly target: LocatedClient;
}): Promise<readonly WriterCode[]> {
  const existing = plans.filter((plan) => plan.target !== undefined);
  const ofSource = await readWriterCode(source, plans);
  return [
    // Only names with a schema mean the same sequence on both sides.
    ...ofSource.map((writer) => ({ ...writer, path: '' })),
    ...(await readWriterCode(target, existing)),
  ];
}

/**
 * Reads the SQL with which views, rules and functions write rows of tables and of their partitions. Starts at the views
 * that can be written with code of their own, and follows the oids in their parsed queries down to the tables. Only
 * printing this code needs locks.
 */
export async function readWriterCode(
  client: Client,
  plans: readonly Pick<TablePlan, 'index' | 'name'>[],
): Promise<readonly WriterCode[]> {
  const { rows: relations } = await client.query<{ position: number; oid: string; name: string }>(TABLES, [
    plans.map(({ name }) => quoteTable(name)),
  ]);
  const { rows: writing } = await client.query<View>(WRITING_VIEWS);
  const below = await readViewsBelow(client, writing);
  const above = new Map(relations.map(({ oid }) => [oid, viewsAbove(oid, below)]));
  const written = [...above].flatMap(([oid, views]) => [oid, ...views]);
  const code = await readCode(client, written);
  const functions = await releasingLocks(client, () => readFunctions(client, written));
  return plans.flatMap(({ index }, position) => {
    const parts = relations.filter((relation) => relation.position === position);
    const oids = new Set(parts.flatMap(({ oid }) => [oid, ...(above.get(oid) ?? [])]));
    const views = [...oids].flatMap((one) => below.get(one)?.name ?? []);
    const names = [...parts.map(({ name }) => name), ...views].map(ownName);
    const own = code.filter(({ relation }) => oids.has(relation));
    const calling = functions.filter(({ callers }) =>
      callers.some(
        ({ words, triggered }) =>
          triggered.some((one) => oids.has(one)) || names.some((one) => words.has(one)),
      ),
    );
    return [
      ...own.map((one) => ({ tableIndex: index, code: one.code, path: null })),
      ...calling.map(({ body, path }) => ({ tableIndex: index, code: body, path })),
    ];
  });
}

interface View {
  readonly oid: string;
  /** The name as the server writes it. */
  readonly name: string;
  /** The oids of the relations in the view's query. */
  readonly reads: readonly string[];
}

interface WritingFunction {
  readonly oid: string;
  readonly name: string;
  readonly body: string;
  readonly path: string | null;
  /** The oids of the relations with a trigger that calls the function. */
  readonly triggered: readonly string[];
}

/** Reads the functions that call nextval, with the functions that run them: themselves, and those that name them. */
async function readFunctions(client: Client, written: readonly string[]) {
  const known = new Map<string, WritingFunction & { readonly words: ReadonlySet<string> }>();
  const feeding: string[] = [];
  for (let names = ['nextval']; names.length > 0;) {
    const { rows } = await client.query<WritingFunction>(FUNCTIONS, [written, names]);
    const added = rows.filter(({ oid }) => !known.has(oid));
    if (known.size === 0) feeding.push(...added.map(({ oid }) => oid));
    for (const one of added) known.set(one.oid, { ...one, words: wordsOf(one.body) });
    names = [...new Set(added.map(({ name }) => name))];
  }
  return feeding.flatMap((oid) => {
    const start = known.get(oid);
    if (start === undefined) return [];
    const callers = new Set([start]);
    for (const callee of callers) {
      for (const one of known.values()) if (one.words.has(callee.name)) callers.add(one);
    }
    return [{ ...start, callers: [...callers] }];
  });
}

/** Adds the views that views read. */
async function readViewsBelow(client: Client, views: readonly View[]): Promise<ReadonlyMap<string, View>> {
  const below = new Map<string, View>();
  for (let added = views; added.length > 0;) {
    for (const view of added) below.set(view.oid, view);
    const unknown = [...below.values()].flatMap(({ reads }) => reads).filter((oid) => !below.has(oid));
    const { rows } = await client.query<View>(VIEWS, [[...new Set(unknown)]]);
    added = rows;
  }
  return below;
}

/** Returns the views that read a relation, also through other views. */
function viewsAbove(relation: string, views: ReadonlyMap<string, View>): readonly string[] {
  const found = new Set<string>();
  const visit = (oid: string) => {
    for (const [view, { reads }] of views) {
      if (found.has(view) || !reads.includes(oid)) continue;
      found.add(view);
      visit(view);
    }
  };
  visit(relation);
  return [...found];
}

/** Reads the rules of relations, and the defaults of views. */
async function readCode(
  client: Client,
  relations: readonly string[],
): Promise<readonly { readonly relation: string; readonly code: string }[]> {
  const { rows: found } = await client.query<{ oid: string }>(WITH_CODE, [relations]);
  if (found.length === 0) return [];
  const oids = found.map(({ oid }) => oid);
  return releasingLocks(client, async () => {
    const { rows } = await client.query<{ relation: string; code: string }>(CODE, [oids]);
    return rows;
  });
}

/** Returns the words of a body, in lower case, and its quoted names with their quotes. */
function wordsOf(body: string): ReadonlySet<string> {
  const words = body.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return new Set([...words, ...(body.match(/"(?:[^"]|"")+"/g) ?? [])]);
}

/** Returns the name of a relation without its schema. */
function ownName(relation: string): string {
  return /(?:"(?:[^"]|"")+"|[^."]+)$/.exec(relation)?.[0] ?? relation;
}

/** Selects tables and their partitions. $1: the quoted names of the tables. */
const TABLES = `
  SELECT listed.n::int4 - 1 AS position, t.oid::oid::text AS oid, t.oid::text AS name
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS listed (name, n)
   CROSS JOIN LATERAL (
     SELECT pg_catalog.to_regclass(listed.name)
      UNION
     SELECT relid FROM pg_catalog.pg_partition_tree(pg_catalog.to_regclass(listed.name))
   ) AS t (oid)
   WHERE t.oid IS NOT NULL
`;

const VIEW = `
  v.oid::text AS oid, v.oid::regclass::text AS name,
  ARRAY(SELECT DISTINCT relid[1] FROM pg_catalog.pg_rewrite r, pg_catalog.regexp_matches(r.ev_action::text, ':relid ([1-9][0-9]*)', 'g') AS relid
         WHERE r.ev_class = v.oid AND r.rulename = '_RETURN') AS reads`;

const WRITING_VIEWS = `
  SELECT ${VIEW}
    FROM pg_catalog.pg_class v
   WHERE v.relkind = 'v' AND v.oid >= 16384
     AND (EXISTS (SELECT FROM pg_catalog.pg_attrdef d WHERE d.adrelid = v.oid) OR v.relhastriggers
          OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = v.oid AND r.rulename <> '_RETURN'))
`;

/** $1: oids of relations. */
const VIEWS = `SELECT ${VIEW} FROM pg_catalog.pg_class v WHERE v.oid = ANY ($1::oid[]) AND v.relkind = 'v'`;

/** $1: oids of relations. */
const WITH_CODE = `
  SELECT r.ev_class::text AS oid FROM pg_catalog.pg_rewrite r WHERE r.ev_class = ANY ($1::oid[]) AND r.rulename <> '_RETURN'
   UNION
  SELECT d.adrelid::text FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_class v ON v.oid = d.adrelid AND v.relkind = 'v'
   WHERE d.adrelid = ANY ($1::oid[])
`;

/**
 * Prints rules, and defaults of views. Before the server prints them, it locks the relation and the tables of a rule. $1:
 * oids of relations.
 */
const CODE = `
  SELECT r.ev_class::text AS relation, pg_catalog.pg_get_ruledef(r.oid) AS code
    FROM pg_catalog.pg_rewrite r WHERE r.ev_class = ANY ($1::oid[]) AND r.rulename <> '_RETURN'
   UNION ALL
  SELECT d.adrelid::text, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
    FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_class v ON v.oid = d.adrelid AND v.relkind = 'v'
   WHERE d.adrelid = ANY ($1::oid[])
`;

/**
 * Selects functions whose text contains a name. $1: oids of relations, $2: the names. The server locks the tables of a
 * parsed body before it prints the body.
 */
const FUNCTIONS = `
  SELECT f.oid::text AS oid, f.name, f.body, (SELECT pg_catalog.substr(s, 13) FROM pg_catalog.unnest(f.proconfig) AS s WHERE pg_catalog.starts_with(s, 'search_path=')) AS path,
         ARRAY(SELECT g.tgrelid::text FROM pg_catalog.pg_trigger g WHERE g.tgfoid = f.oid AND NOT g.tgisinternal) AS triggered
    FROM (SELECT p.oid, pg_catalog.quote_ident(p.proname) AS name, p.proconfig, CASE WHEN p.prosqlbody IS NULL THEN p.prosrc
                 WHEN p.prosqlbody::text !~ ':relid [1-9]' OR EXISTS (
                   SELECT FROM pg_catalog.regexp_matches(p.prosqlbody::text, ':relid ([1-9][0-9]*)', 'g') AS m WHERE m[1] = ANY ($1::text[]))
                 THEN pg_catalog.pg_get_function_sqlbody(p.oid) ELSE '' END AS body
            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
           WHERE p.oid >= 16384 AND l.lanname NOT IN ('c', 'internal')) AS f
   WHERE EXISTS (SELECT FROM pg_catalog.unnest($2::text[]) AS n (name) WHERE pg_catalog.strpos(pg_catalog.lower(f.body), pg_catalog.lower(n.name)) > 0)
`;
