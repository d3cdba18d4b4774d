import { quoteIdentifier, quoteTable, releasingLocks, type Client } from '@understudy/postgres';
import type { TableName, VerificationCheck } from '@understudy/sync-job';
import type { LocatedClient } from '../session/located-client.js';
import type { TablePlan } from '../plan/table-plan.js';
import type { WriterCode } from './writer-code.js';

/** The last values that sequences have returned, by quoted name; null if there is none yet. */
export type UsedValues = ReadonlyMap<string, bigint | null>;

/**
 * Reads the last values of all sequences that the role may read. Reads them in batches,
 * and holds no lock on a batch afterwards. The view `pg_sequences` would lock each sequence until the transaction ends,
 * because it takes these locks for the whole transaction, also inside a savepoint.
 */
export async function readUsedValues(client: Client, { onlyOwn = false } = {}): Promise<UsedValues> {
  const { rows: sequences } = await client.query<TableName & { current: string }>(READABLE_SEQUENCES, [
    onlyOwn,
  ]);
  const used = new Map<string, bigint | null>();
  for (let from = 0; from < sequences.length; from += BATCH) {
    const batch = sequences.slice(from, from + BATCH);
    const states = batch.map(
      ({ current }, i) =>
        `SELECT ${i} AS i, CASE WHEN is_called THEN last_value::text END AS last FROM ${current}`,
    );
    const { rows } = await releasingLocks(client, () =>
      client.query<{ i: number; last: string | null }>(states.join(' UNION ALL ')),
    );
    for (const { i, last } of rows)
      used.set(quoteTable(batch[i] as TableName), last === null ? null : BigInt(last));
  }
  return used;
}

const BATCH = 50;

/**
 * The names are those of the transaction's snapshot. `current` is the present name, because a sequence can be renamed
 * after the snapshot. The role has no privilege on a sequence that has been dropped since then. $1: whether to select only
 * sequences of the role.
 */
const READABLE_SEQUENCES = `
  SELECT n.nspname AS schema, s.relname AS table, s.oid::pg_catalog.regclass::text AS current
    FROM pg_catalog.pg_class s JOIN pg_catalog.pg_namespace n ON n.oid = s.relnamespace
   WHERE CASE s.relkind WHEN 'S' THEN pg_catalog.has_sequence_privilege(s.oid, 'SELECT') END
     AND (NOT $1::bool OR pg_catalog.pg_has_role(s.relowner, 'USAGE'))
     AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
     AND CASE s.relpersistence WHEN 'p' THEN true WHEN 'u' THEN NOT pg_catalog.pg_is_in_recovery() ELSE false END
`;

export interface ExpectedSequences {
  /**
   * The values that the source's sequences had returned before the job moved those of the target. Omit them if the source
   * has changed since then.
   */
  readonly used?: UsedValues;
  readonly writers?: readonly WriterCode[];
  /**
   * Whether a sequence of the target may have no value left. Omit it if any may, for example because the target has
   * changed since the job.
   */
  readonly mayBeExhausted?: ((sequence: SequenceBounds) => Promise<boolean>) | undefined;
}

export interface SequenceBounds extends TableName {
  readonly step: string;
  readonly min: string;
  readonly max: string;
}

/**
 * Returns a test for the sequences to which a job leaves no value. The value after the last one is out of their bounds,
 * before the job or on the source.
 * @param before the values of the target before the job
 */
export function exhaustedLike(
  source: Client,
  before: UsedValues,
): (sequence: SequenceBounds) => Promise<boolean> {
  return async (sequence) => {
    const name = quoteTable(sequence);
    const isLast = (last: bigint | null | undefined): boolean =>
      last !== undefined && last !== null && isOutside(sequence, last + BigInt(sequence.step));
    // The source is read after the job has read the positions, which only grow.
    return isLast(before.get(name)) || isLast((await readUsedValues(source)).get(name));
  };
}

/**
 * Checks the sequences of the job's tables. The next value must be beyond all values of the integer and numeric
 * columns whose default or identity is the sequence's value. If a trigger, another default or code in `writers` uses
 * it, the next value must also be beyond the value in `used`. It must only be beyond the value in `used` if the
 * values of a column leave no value, or if other sequences or `writers` can feed the column. Without `used`, such a
 * sequence passes if no row has its next value. This includes descending sequences. An exhausted sequence returns no
 * value, so it passes if `mayBeExhausted` allows it. Ignores values outside the bounds of a sequence, and sequences with
 * CYCLE, which repeat values on purpose.
 */
export async function verifySequences(
  plans: readonly Pick<TablePlan, 'index' | 'name'>[],
  target: LocatedClient,
  expected: ExpectedSequences = {},
): Promise<readonly VerificationCheck[]> {
  const first = plans[0];
  if (first === undefined) return [];
  const onFirst = target.at(first.index);
  const { rows: existing } = await onFirst.query<Existing>(SEQUENCES);
  const { rows: uses } = await onFirst.query<Use & { readonly position: number }>(USES, [
    plans.map(({ name }) => quoteTable(name)),
  ]);
  const named = new NamedSequences(existing);
  const usesOf = plans.map((): Use[] => []);
  for (const use of uses) usesOf[use.position]?.push(use);
  const checks: VerificationCheck[] = [];
  for (const [i, { index: tableIndex, name }] of plans.entries()) {
    const ofOthers = (expected.writers ?? []).filter((writer) => writer.tableIndex === tableIndex);
    const own = [
      ...(usesOf[i] ?? []),
      ...ofOthers.map(({ code, path }) => ({ column: null, type: null, code, path })),
    ];
    const hasWriters = ofOthers.length > 0;
    const oks = await checkTable(target.at(tableIndex), name, {
      ...expected,
      uses: own,
      named,
      hasWriters,
    });
    if (oks.length > 0)
      checks.push({ kind: 'sequences', tableIndex, ok: oks.every(Boolean), lookedAt: oks.length });
  }
  return checks;
}

interface Use {
  /** The column of a default; null for other code. */
  readonly column: string | null;
  /** The type of the column, or the base type of its domain. */
  readonly type: string | null;
  readonly code: string;
  /** The search path that a function sets. */
  readonly path: string | null;
}

interface Existing extends SequenceBounds {
  readonly cycle: boolean;
  /** Whether the role may move the sequence. */
  readonly movable: boolean;
}

/** The view `pg_sequences` would lock each sequence to read its last value. */
const SEQUENCES = `
  SELECT n.nspname AS schema, c.relname AS table, q.seqincrement::text AS step, q.seqcycle AS cycle,
         q.seqmin::text AS min, q.seqmax::text AS max, pg_catalog.pg_has_role(c.relowner, 'USAGE') AS movable
    FROM pg_catalog.pg_sequence q JOIN pg_catalog.pg_class c ON c.oid = q.seqrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE NOT pg_catalog.pg_is_other_temp_schema(n.oid)
`;

async function checkTable(
  target: Client,
  name: TableName,
  {
    uses,
    named,
    used = new Map(),
    mayBeExhausted = () => Promise.resolve(true),
    hasWriters,
  }: ExpectedSequences & {
    readonly uses: readonly Use[];
    readonly named: NamedSequences;
    readonly hasWriters: boolean;
  },
): Promise<readonly boolean[]> {
  const table = quoteTable(name);
  const found = new Map<Existing, SequenceUse>();
  for (const { column, type, code, path } of uses) {
    for (const sequence of named.in(code, path)) {
      const use = found.get(sequence) ?? { numbers: new Map(), others: new Set() };
      const limits = type === null ? undefined : limitsOf(type);
      if (column !== null && limits !== undefined && isOnlyNextval(code)) use.numbers.set(column, limits);
      else use.others.add(column);
      found.set(sequence, use);
    }
  }
  const oks: boolean[] = [];
  for (const [sequence, { numbers, others }] of found) {
    const isUsedOtherwise = others.size > 0;
    if (sequence.cycle || (numbers.size === 0 && !sequence.movable)) continue;
    const last = sequence.movable ? used.get(quoteTable(sequence)) : undefined;
    const state = await target.query<{ next: string }>(
      `SELECT (last_value::numeric + CASE WHEN is_called THEN ${sequence.step} ELSE 0 END)::text AS next FROM ${quoteTable(sequence)}`,
    );
    const next = BigInt(state.rows[0]?.next ?? 0);
    if (isOutside(sequence, next)) {
      oks.push(await mayBeExhausted(sequence));
      continue;
    }
    if (numbers.size === 0 && (!isUsedOtherwise || last === undefined || last === null)) continue;
    const isAhead = last === undefined || last === null || isBeyond(sequence, next, last);
    let ok = isAhead || !isUsedOtherwise;
    for (const [column, limits] of numbers) {
      const row = await lastRow(target, table, column, sequence);
      if (row === undefined || isBeyond(sequence, next, row)) continue;
      const after = row + BigInt(sequence.step);
      const isShared =
        hasWriters || [...found].some(([other, use]) => other !== sequence && feeds(use, column));
      // Without the values of the source, only the next value shows whether a sequence that shares a column is behind.
      const isFree = isShared && (last !== undefined || !(await hasValue(target, table, column, next)));
      ok &&= isAhead && (isFree || isOutside(sequence, after) || isOutside(limits, after));
    }
    oks.push(ok);
  }
  return oks;
}

interface Limits {
  readonly min: bigint;
  readonly max: bigint;
}

/** How code of a table uses a sequence. */
interface SequenceUse {
  /** The limits of the type of each column whose values are those of the sequence, by column name. */
  readonly numbers: Map<string, Limits>;
  /** The columns that the sequence feeds in another way; null for other code. */
  readonly others: Set<string | null>;
}

function feeds({ numbers, others }: SequenceUse, column: string): boolean {
  return numbers.has(column) || others.has(column) || others.has(null);
}

/** Returns the least and the greatest integer of a type of numbers; undefined for any other type. */
function limitsOf(type: string): Limits | undefined {
  const bits = { smallint: 15n, integer: 31n, bigint: 63n, numeric: 63n }[type];
  if (bits !== undefined) return { min: -(2n ** bits), max: 2n ** bits - 1n };
  const [, precision, scale] = /^numeric\((\d+),(-?\d+)\)$/.exec(type) ?? [];
  if (precision === undefined) return undefined;
  const max = 10n ** BigInt(Math.max(0, Number(precision) - Number(scale))) - 1n;
  return { min: -max, max };
}

async function hasValue(target: Client, table: string, column: string, value: bigint): Promise<boolean> {
  const { rows } = await target.query(
    `SELECT FROM ${table} WHERE ${quoteIdentifier(column)} = ${value} LIMIT 1`,
  );
  return rows.length > 0;
}

function isBeyond({ step }: Existing, next: bigint, value: bigint): boolean {
  return BigInt(step) > 0n ? next > value : next < value;
}

function isOutside({ min, max }: Limits | SequenceBounds, value: bigint): boolean {
  return value < BigInt(min) || value > BigInt(max);
}

/** Reads the last value of a column in the direction of a sequence, within its bounds and without a fraction. */
async function lastRow(
  target: Client,
  table: string,
  column: string,
  { step, min, max }: Existing,
): Promise<bigint | undefined> {
  const value = quoteIdentifier(column);
  const order = BigInt(step) > 0n ? 'DESC' : 'ASC';
  const { rows } = await target.query<{ last: string }>(
    `SELECT trunc(${value})::text AS last FROM ${table} WHERE ${value} BETWEEN ${min} AND ${max} ORDER BY ${value} ${order} LIMIT 1`,
  );
  return rows[0] && BigInt(rows[0].last);
}

/**
 * Selects the SQL that uses sequences: the sequence of a serial or identity column as a literal, defaults, and the
 * bodies of trigger functions. $1: the quoted names of the tables.
 */
const USES = `
  SELECT l.n::int - 1 AS position, a.attname AS column, pg_catalog.format_type(base.oid, base.typmod) AS type,
         coalesce(pg_catalog.quote_literal(pg_catalog.pg_get_serial_sequence(part.oid::regclass::text, a.attname)), '') || ' ' ||
         coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), '') AS code, NULL AS path
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
   CROSS JOIN LATERAL (SELECT l.name::regclass::oid UNION SELECT relid FROM pg_catalog.pg_partition_tree(l.name::regclass)) AS part (oid)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = part.oid
   CROSS JOIN LATERAL (
      WITH RECURSIVE type (oid, typmod) AS (
        SELECT a.atttypid, a.atttypmod
         UNION ALL
        SELECT d.typbasetype, d.typtypmod FROM type JOIN pg_catalog.pg_type d ON d.oid = type.oid AND d.typtype = 'd'
      ) SELECT type.oid, type.typmod FROM type JOIN pg_catalog.pg_type b ON b.oid = type.oid AND b.typtype <> 'd'
    ) AS base
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  UNION ALL
  SELECT l.n::int - 1, NULL, NULL, coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), (SELECT substr(s, 13) FROM unnest(p.proconfig) AS s WHERE starts_with(s, 'search_path='))
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
    JOIN pg_catalog.pg_trigger g ON g.tgrelid = l.name::regclass
    JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid
   WHERE NOT g.tgisinternal
`;

/** Tests whether a default does nothing but call nextval, or is empty. */
function isOnlyNextval(code: string): boolean {
  const rest = code.replaceAll(/'(?:[^']|'')*'/g, '').replaceAll(/::[a-z]+/g, '');
  return ['', 'nextval'].includes(rest.replaceAll(/[()\s]/g, ''));
}

/** Finds the sequences that SQL names, by an index of all names: each column of each table is looked up. */
class NamedSequences {
  private readonly byFullName = new Map<string, Existing[]>();
  private readonly byName = new Map<string, Existing[]>();

  constructor(sequences: readonly Existing[]) {
    const add = (to: Map<string, Existing[]>, name: string, sequence: Existing) => {
      const some = to.get(name);
      if (some === undefined) to.set(name, [sequence]);
      else some.push(sequence);
    };
    for (const sequence of sequences) {
      const { schema, table } = sequence;
      for (const name of [quoteTable(sequence), `${schema}.${table}`, displayed(sequence)])
        add(this.byFullName, name, sequence);
      add(this.byName, table, sequence);
    }
  }

  /**
   * Returns the sequences that string literals of SQL name for certain. The name has a schema, is on the search path that
   * the function sets, or belongs to only one sequence.
   */
  in(code: string, path: string | null): ReadonlySet<Existing> {
    const schemas = path?.split(',').map((part) => part.trim().replaceAll(/^"|"$/g, ''));
    const literals = [...code.matchAll(/'([^']+)'/g), ...code.matchAll(/'((?:[^']|'')+)'/g)];
    return new Set(
      literals.flatMap(([, literal = '']) => {
        const name = literal.replaceAll("''", "'");
        const namesakes = this.byName.get(name) ?? [];
        const onPath = schemas?.flatMap((part) => namesakes.find(({ schema }) => schema === part) ?? []);
        const own = onPath?.slice(0, 1) ?? (namesakes.length === 1 ? namesakes : []);
        return [...(this.byFullName.get(name) ?? []), ...own];
      }),
    );
  }
}

/** The name as the server writes it, with quotes only where they are needed. */
function displayed({ schema, table }: TableName): string {
  return [schema, table]
    .map((part) => (/^[a-z_][a-z0-9_$]*$/.test(part) ? part : quoteIdentifier(part)))
    .join('.');
}
