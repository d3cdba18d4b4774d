import { type EngineLog, quoteTable, releasingLocks } from '@understudy/postgres';
import {
  type DatabaseSide,
  SyncJobError,
  type TableName,
  type VerificationCheck,
} from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { type RowDigest, rowsOf } from '../digest-rows.js';
import { type JoinedRows, joinDigestSql, type KeyEquality, readJoinDigest } from './join-digest.js';
import type { JoinedKey } from './joined-keys.js';
import { KEY_EQUALITY } from './joined-keys.sql.js';
import {
  nulledColumns,
  preservedDigest,
  readColumnTypes,
  type TypesOnBothSides,
} from '../preserved-digest.js';

export interface JoinsToVerify {
  readonly keys: readonly JoinedKey[];
  /** Returns the target's table that contains the new rows, and whether it is partitioned. */
  readonly newRows: (plan: TablePlan) => { readonly name: TableName; readonly isPartitioned: boolean };
  /** Returns the FROM item of the source rows that the job copies. */
  readonly sourceRows: (plan: TablePlan) => string;
  readonly log: EngineLog;
}

/** The new rows of a table that is in its real schema. */
export function newRowsInPlace({ name, source, target }: TablePlan): ReturnType<JoinsToVerify['newRows']> {
  return { name, isPartitioned: (target ?? source).isPartitioned };
}

/** A task that reads both tables of a foreign key on one side. */
export interface JoinRead {
  readonly child: number;
  readonly tables: readonly number[];
  /** @returns the digest of all rows of the child table */
  readonly read: (client: LocatedClient) => Promise<RowDigest>;
}

interface JoinTask {
  readonly key: JoinedKey;
  readonly sql: Readonly<Record<DatabaseSide, string>>;
  readonly digests: Partial<Record<DatabaseSide, string>>;
}

/**
 * Compares which children the parents of foreign keys have, before and after masking. Each server joins the rows of both
 * tables with its own equality. The digests of both sides are equal if the joined rows have equal preserved columns.
 */
export class JoinComparison {
  private constructor(
    private readonly request: JoinsToVerify,
    private readonly tasks: readonly JoinTask[],
  ) {}

  /** Reads the types of the columns, and how each server compares the keys. */
  static async plan(
    request: JoinsToVerify,
    source: LocatedClient,
    target: LocatedClient,
  ): Promise<JoinComparison> {
    const { keys, newRows, sourceRows } = request;
    if (keys.length === 0) return new JoinComparison(request, []);
    const plans = [...new Set(keys.flatMap(({ child, parent }) => [child, parent]))];
    const tables = {
      source: ({ name }: TablePlan) => name,
      target: (plan: TablePlan) => newRows(plan).name,
    } as const;
    const read = async (side: DatabaseSide, client: LocatedClient) => ({
      types: await readColumnTypes(client, plans.map(tables[side])),
      equalities: await keyEqualities(client, keys, tables[side]),
    });
    const [ofSource, ofTarget] = [await read('source', source), await read('target', target)];
    const typesOf = (plan: TablePlan): TypesOnBothSides => {
      const at = plans.indexOf(plan);
      return { source: ofSource.types[at], target: ofTarget.types[at] };
    };
    const tasks = keys.flatMap((key, i): JoinTask[] => {
      const equalities = { source: ofSource.equalities[i], target: ofTarget.equalities[i] };
      // A table of the target can lack a column of a key. It then has no such key.
      if (equalities.source === undefined || equalities.target === undefined) return [];
      const rows = (side: DatabaseSide, of: 'child' | 'parent'): JoinedRows => {
        const plan = key[of];
        const { name, isPartitioned } = newRows(plan);
        return {
          from: side === 'source' ? sourceRows(plan) : rowsOf(name, isPartitioned),
          columns: key.pairs.map((pair) => pair[of]),
          digest: preservedDigest(plan, typesOf(plan)),
          nulled: side === 'source' ? [] : nulledColumns(plan),
        };
      };
      const sqlOn = (side: DatabaseSide, equality: readonly KeyEquality[]) =>
        joinDigestSql(rows(side, 'parent'), rows(side, 'child'), equality);
      const sql = {
        source: sqlOn('source', equalities.source),
        target: sqlOn('target', equalities.target),
      };
      return [{ key, sql, digests: {} }];
    });
    return new JoinComparison(request, tasks);
  }

  /** The keys whose joins are compared. */
  get keys(): readonly JoinedKey[] {
    return this.tasks.map(({ key }) => key);
  }

  /** The tables whose digests the joins read. */
  get children(): ReadonlySet<number> {
    return new Set(this.tasks.map(({ key }) => key.child.index));
  }

  /** Returns the tasks that read one side. */
  reads(side: DatabaseSide): readonly JoinRead[] {
    return this.tasks.map(({ key: { child, parent }, sql, digests }) => ({
      child: child.index,
      tables: [child.index, parent.index],
      read: async (client) => {
        const { joined, children } = await readJoinDigest(client.at(child.index), sql[side]);
        digests[side] = joined;
        return children;
      },
    }));
  }

  /** Reads both sides with one session each. */
  async readBoth(source: LocatedClient, target: LocatedClient): Promise<void> {
    for (const { read } of this.reads('source')) await releasingLocks(source, () => read(source));
    for (const { read } of this.reads('target')) await releasingLocks(target, () => read(target));
  }

  /** Returns the keys whose joins differ. Call it when both sides have been read. */
  differing(): readonly JoinedKey[] {
    return this.tasks.filter(({ digests: { source, target } }) => source !== target).map(({ key }) => key);
  }

  /** Returns one result for each table with foreign keys. Call it when both sides have been read. */
  checks(): readonly VerificationCheck[] {
    const differing = new Set(this.differing());
    for (const { child, parent } of differing) {
      this.request.log.error(
        { child: quoteTable(child.name), parent: quoteTable(parent.name) },
        'references point to other rows than in the source',
      );
    }
    const children = new Set(this.tasks.map(({ key }) => key.child));
    return [...children]
      .toSorted((a, b) => a.index - b.index)
      .map((plan) => {
        const own = this.tasks.filter(({ key }) => key.child === plan);
        const ok = !own.some(({ key }) => differing.has(key));
        return { kind: 'joins', tableIndex: plan.index, ok, lookedAt: own.length };
      });
  }
}

/**
 * Returns how the server compares the columns of each key; undefined for a key with a column that it lacks.
 * @throws SyncJobError key_equality_unsupported if a column has no default equality
 */
async function keyEqualities(
  client: LocatedClient,
  keys: readonly JoinedKey[],
  nameOf: (plan: TablePlan) => TableName,
): Promise<readonly (readonly KeyEquality[] | undefined)[]> {
  const pairs = keys.flatMap(({ child, parent, pairs }, key) =>
    pairs.map((columns, pair) => ({
      ...{ key, pair, parent: quoteTable(nameOf(parent)), child: quoteTable(nameOf(child)) },
      ...{ parent_column: columns.parent, child_column: columns.child },
    })),
  );
  const { rows } = await client.query<EqualityRow>(KEY_EQUALITY, [JSON.stringify(pairs)]);
  return keys.map((joined, key) => {
    const own = rows.filter((row) => row.key === key).sort((a, b) => a.pair - b.pair);
    if (own.length < joined.pairs.length) return undefined;
    if (own.some((row) => row.operator === null))
      throw new SyncJobError({ code: 'key_equality_unsupported', tableIndex: joined.child.index });
    return own;
  });
}

type EqualityRow = KeyEquality & { readonly key: number; readonly pair: number };
