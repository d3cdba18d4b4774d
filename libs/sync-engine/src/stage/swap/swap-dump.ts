import {
  errorDetail,
  type EngineLog,
  chooseEntries,
  tableObjects,
  findPgTools,
  type PgToolLocations,
  quoteTable,
  dumpSchema,
  readServerIdentity,
} from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import { measureRelations } from '../../plan/measure-relations.js';
import type { LocatedClient, LocatedSession } from '../../session/located-client.js';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { type KeyDefinition, PG_CONSTRAINT, readKeyDefinitions } from '../foreign-keys/key-definition.js';
import { swappableTables } from './swappable-tables.js';

export interface SwapDumpRequest {
  readonly plans: readonly TablePlan[];
  /** A client whose transaction uses the job's snapshot of the source. */
  readonly source: LocatedClient;
  readonly target: LocatedSession;
  /**
   * The tables are swapped only if their total size on the source is at least this number of bytes. {@link isWorthIt}
   * increases the limit with the number of tables, and contains the default.
   */
  readonly fromBytes: number | undefined;
  readonly tools: PgToolLocations;
  readonly log: EngineLog;
  readonly signal: AbortSignal;
}

/**
 * The newest server version whose catalogs this code knows. Tables of a later version may have properties
 * that a replacement would lose.
 */
const NEWEST_KNOWN_SERVER = 18;
/** The maximum number of tables to swap. Each table needs an argument of pg_dump and a lock on the server. */
const MAX_TABLES = 1_000;
const LOCK_WAIT_MS = 2_000;
const MIB = 2 ** 20;

/**
 * Uses pg_dump to dump the target's definitions of the tables that can be swapped. If the dump fails, the
 * switch rewrites the tables.
 */
export class SwapDump {
  private readonly ended = new AbortController();
  private dumped: Promise<TableSwap | undefined> | undefined;
  private isUnusable = false;

  constructor(private readonly request: SwapDumpRequest) {}

  /**
   * Selects the tables and starts pg_dump in the background. Call it before the checks, so that pg_dump runs
   * concurrently with them.
   * @throws SyncJobError
   */
  async begin(): Promise<void> {
    const tables = await this.swappable();
    this.dumped = tables === undefined ? Promise.resolve(undefined) : this.dump(tables);
  }

  /**
   * Waits for pg_dump, and returns the SQL that creates the replacement tables. Calls {@link begin} if the caller has
   * not called it.
   * @returns undefined if no table is swapped
   * @throws SyncJobError
   */
  async swap(): Promise<TableSwap | undefined> {
    if (this.dumped === undefined) await this.begin();
    return this.dumped;
  }

  /** Whether tables are rewritten because pg_dump is missing, too old or failed on this machine. Await {@link swap} first. */
  get lacksPgDump(): boolean {
    return this.isUnusable;
  }

  /** Stops the dump and removes its files. Always call it, also after an error. Never rejects. */
  async discard(): Promise<void> {
    this.ended.abort();
    await this.dumped;
  }

  private async swappable(): Promise<Swappable | undefined> {
    const { plans, source, target, fromBytes } = this.request;
    const oids = plans.flatMap((plan) => plan.target?.oid ?? []);
    if (oids.length === 0) return undefined;
    const { client } = target;
    const found = await swappableTables(client, oids);
    if (found.size === 0 || found.size > MAX_TABLES) return undefined;
    const { majorVersion } = await readServerIdentity(client);
    if (majorVersion > NEWEST_KNOWN_SERVER) return undefined;
    const chosen = plans.filter((plan) => plan.target !== undefined && found.has(plan.target.oid));
    const relations = await measureRelations(source, chosen);
    const bytes = relations.reduce((sum, relation) => sum + relation.bytes, 0);
    if (!isWorthIt(bytes, chosen.length, fromBytes)) return undefined;
    const tables = chosen.map(({ index, name, target: table }) => ({
      tableIndex: index,
      oid: table?.oid ?? '',
      ...name,
    }));
    const indexes = new Map(tables.map(({ oid, tableIndex }) => [oid, tableIndex]));
    const all = new Map(
      plans.flatMap((plan) => (plan.target ? [[plan.target.oid, plan.index] as const] : [])),
    );
    return { tables, majorVersion, keys: await readKeyDefinitions(client, indexes, all) };
  }

  /**
   * Dumps the definitions of the tables. Never rejects.
   * @returns undefined if pg_dump is missing or fails
   */
  private async dump({ tables, majorVersion, keys }: Swappable): Promise<TableSwap | undefined> {
    const { target, log } = this.request;
    const signal = AbortSignal.any([this.request.signal, this.ended.signal]);
    try {
      const tools = await guard({ side: 'source' }, () => findPgTools(this.request.tools, majorVersion));
      const names = tables.map((name) => `--table=${quoteTable(name)}`);
      const selection = ['--strict-names', `--lock-wait-timeout=${LOCK_WAIT_MS}`, ...names];
      const database = target.target;
      const archive = await dumpSchema({ tools, database, selection, withRights: true, signal });
      try {
        const isKey = new Set(keys.map(({ oid }) => oid));
        const objects = tableObjects(archive.entries);
        const { creating, finishing } = chooseEntries(
          archive.entries,
          objects.filter(({ classid, oid }) => classid !== PG_CONSTRAINT || !isKey.has(oid)),
        );
        const rights = creating.filter(isRight);
        const bare = creating.filter((line) => !isRight(line));
        const sql = (entries: readonly string[]) =>
          entries.length === 0 ? '' : archive.sql(['pre-data', 'post-data'], entries);
        return {
          tables,
          createSql: await sql(bare),
          grantSql: await sql(rights),
          postDataSql: await sql(finishing),
          keys,
        };
      } finally {
        await archive.remove();
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      this.isUnusable = isOfPgDump(error);
      log.warn({ detail: errorDetail(error) }, 'existing tables will be rewritten: pg_dump of them failed');
      return undefined;
    }
  }
}

/** Returns true if the server is not the reason of the error. */
function isOfPgDump(error: unknown): boolean {
  const code = error instanceof SyncJobError ? error.failure.code : (error as { code?: unknown }).code;
  return typeof code === 'string' && OF_PG_DUMP.has(code);
}

const OF_PG_DUMP: ReadonlySet<string> = new Set([
  'pg_dump_missing',
  'pg_dump_too_old',
  'pg_dump_failed',
  'agent_disk_low',
]);

interface Swappable {
  readonly tables: readonly SwappedTable[];
  readonly keys: readonly KeyDefinition[];
  readonly majorVersion: number;
}

/**
 * Returns whether a swap is faster than a rewrite. A swap takes about 3 ms for each table, to create the replacement
 * and compare it. A rewrite writes the rows a second time, which takes about 13 ms for each MB.
 */
function isWorthIt(bytes: number, tables: number, fromBytes = 8 * MIB): boolean {
  return bytes >= fromBytes * (1 + tables / 32);
}

/** Returns true for an entry of pg_restore's list that contains GRANT statements: `<id>; <catalog> <object> ACL …`. */
function isRight(line: string): boolean {
  return /^\d+; \d+ \d+ ACL /.test(line);
}

/** Existing tables to swap, and the SQL that creates their replacements under the real names. */
export interface TableSwap {
  readonly tables: readonly SwappedTable[];
  /** SQL that creates the replacement tables. Run it before the rows are copied. */
  readonly createSql: string;
  /** SQL that grants rights. Run it after `createSql` and `keepOnlyOwnerRights`. */
  readonly grantSql: string;
  /** The post-data SQL. Run it in the switch, after all objects have moved to their real schemas. */
  readonly postDataSql: string;
  /** The foreign keys of the tables. */
  readonly keys: readonly KeyDefinition[];
}

export interface SwappedTable {
  readonly tableIndex: number;
  /** The oid of the existing table on the target. */
  readonly oid: string;
  readonly schema: string;
  readonly table: string;
}
