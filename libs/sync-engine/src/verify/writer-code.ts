import { quoteTable, type Client } from '@understudy/postgres';
import type { TablePlan } from '../plan/table-plan.js';

/** SQL outside of a table with which others write its rows. */
export interface WriterCode {
  readonly tableIndex: number;
  readonly code: string;
  /** The search path that a function sets. */
  readonly path: string | null;
}

/**
 * Reads the SQL with which views, rules and functions write rows of tables. Starts at the views that can be written with
 * code of their own, and follows the names in their definitions down to the tables. Names in definitions have a schema,
 * because the session's search path is empty.
 */
export async function readWriterCode(
  client: Client,
  plans: readonly Pick<TablePlan, 'index' | 'name'>[],
): Promise<readonly WriterCode[]> {
  const { rows: tables } = await client.query<{ name: string | null; rules: string[] }>(TABLES, [
    plans.map(({ name }) => quoteTable(name)),
  ]);
  const { rows: writing } = await client.query<View & { code: string[] }>(WRITING_VIEWS);
  const { rows } = await client.query<WritingFunction>(FUNCTIONS);
  const functions = rows.map((row) => ({ ...row, words: wordsOf(row.body) }));
  const views = await readViewsBelow(client, writing);
  return plans.flatMap(({ index }, position) => {
    const { name, rules } = tables[position] ?? {};
    if (typeof name !== 'string' || rules === undefined) return [];
    const above = viewsAbove(name, views);
    const code = [...rules, ...writing.filter((view) => above.has(view.name)).flatMap((view) => view.code)];
    const relations = [name, ...above];
    const written = functions.filter(({ words, triggered }) =>
      relations.some((one) => triggered.includes(one) || words.has(ownName(one))),
    );
    return [
      ...code.map((text) => ({ tableIndex: index, code: text, path: null })),
      ...written.map(({ body, path }) => ({ tableIndex: index, code: body, path })),
    ];
  });
}

interface View {
  /** The name as the server writes it. */
  readonly name: string;
  readonly definition: string;
}

interface WritingFunction {
  readonly body: string;
  readonly path: string | null;
  /** The relations with a trigger that calls the function. */
  readonly triggered: readonly string[];
}

/** Adds the views to which the definitions of views refer. Returns the relations that each view names. */
async function readViewsBelow(
  client: Client,
  views: readonly View[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const below = new Map<string, readonly string[]>();
  for (let added = views; added.length > 0;) {
    for (const { name, definition } of added) below.set(name, relationsIn(definition));
    const unknown = [...below.values()].flat().filter((name) => !below.has(name));
    const { rows } = await client.query<View>(VIEWS, [[...new Set(unknown)]]);
    added = rows;
  }
  return below;
}

/** Returns the relations of a view's FROM clauses, with their schemas. Literals could contain any text. */
function relationsIn(definition: string): readonly string[] {
  const text = definition.replaceAll(/'(?:[^']|'')*'/g, "''");
  return [
    ...text.matchAll(
      /(?<=[\s(])(?:"(?:[^"]|"")+"|[a-z_][\w$]*)\.(?:"(?:[^"]|"")+"|[a-z_][\w$]*)(?![\w$."(])/g,
    ),
  ].map(([name]) => name);
}

/** Returns the views that read a relation, also through other views. */
function viewsAbove(relation: string, below: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const [view, relations] of below) {
      if (found.has(view) || !relations.includes(name)) continue;
      found.add(view);
      visit(view);
    }
  };
  visit(relation);
  return found;
}

/** Returns the words of a body, in lower case, and its quoted names. */
function wordsOf(body: string): ReadonlySet<string> {
  const words = body.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return new Set([...words, ...(body.match(/"(?:[^"]|"")+"/g) ?? [])]);
}

/** Returns the name of a relation without its schema. */
function ownName(relation: string): string {
  return /(?:"(?:[^"]|"")+"|[^."]+)$/.exec(relation)?.[0] ?? relation;
}

/** $1: the quoted names of the tables. */
const TABLES = `
  SELECT t.oid::text AS name,
         ARRAY(SELECT pg_catalog.pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r WHERE r.ev_class = t.oid) AS rules
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS listed (name, n)
   CROSS JOIN LATERAL (SELECT pg_catalog.to_regclass(listed.name) AS oid) AS t
   ORDER BY listed.n
`;

const WRITING_VIEWS = `
  SELECT v.oid::regclass::text AS name, pg_catalog.pg_get_viewdef(v.oid) AS definition,
         ARRAY(SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef d WHERE d.adrelid = v.oid) ||
         ARRAY(SELECT pg_catalog.pg_get_ruledef(r.oid) FROM pg_catalog.pg_rewrite r WHERE r.ev_class = v.oid AND r.rulename <> '_RETURN') AS code
    FROM pg_catalog.pg_class v
   WHERE v.relkind = 'v' AND v.oid >= 16384
     AND (EXISTS (SELECT FROM pg_catalog.pg_attrdef d WHERE d.adrelid = v.oid) OR v.relhastriggers
          OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = v.oid AND r.rulename <> '_RETURN'))
`;

/** $1: names of relations as the server writes them. */
const VIEWS = `
  SELECT wanted.name, pg_catalog.pg_get_viewdef(v.oid) AS definition
    FROM pg_catalog.unnest($1::text[]) AS wanted (name)
    JOIN pg_catalog.pg_class v ON v.oid = pg_catalog.to_regclass(wanted.name) AND v.relkind = 'v'
`;

const FUNCTIONS = `
  SELECT f.body, (SELECT pg_catalog.substr(s, 13) FROM pg_catalog.unnest(f.proconfig) AS s WHERE pg_catalog.starts_with(s, 'search_path=')) AS path,
         ARRAY(SELECT g.tgrelid::regclass::text FROM pg_catalog.pg_trigger g WHERE g.tgfoid = f.oid AND NOT g.tgisinternal) AS triggered
    FROM (SELECT p.oid, p.proconfig, coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc) AS body
            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
           WHERE p.oid >= 16384 AND l.lanname NOT IN ('c', 'internal')) AS f
   WHERE f.body ~* 'nextval'
`;
