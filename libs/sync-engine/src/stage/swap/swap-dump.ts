import {
  errorDetail,
  type EngineLog,
  chooseEntries,
  tableObjects,
  findPgTools,
  type PgToolPlaces,
  quoteTable,
  dumpSchema,
  readServerIdentity,
  type Client,
  type Session,
} from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import { measureRelations } from '../../plan/measure-relations.js';
import type { FailureContexts } from '../../session/failure-contexts.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { swappableTables } from './swappable-tables.js';

export interface SwapDumpRequest {
  readonly plans: readonly TablePlan[];
  /** In the snapshot. */
  readonly source: Client;
  readonly target: Session;
  /** So much, on the source's disk, is worth it: see {@link isWorthIt}. */
  readonly fromBytes: number | undefined;
  readonly tools: PgToolPlaces;
  readonly contexts: FailureContexts;
  readonly log: EngineLog;
  readonly signal: AbortSignal;
}

/** What the catalogs are known to say of tables: a later server may have something that is not carried over. */
const NEWEST_KNOWN_SERVER = 18;
/** Each is an argument of pg_dump, and a lock on the server. */
const MAX_TABLES = 1_000;
const LOCK_WAIT_MS = 2_000;
const MIB = 2 ** 20;

/**
 * The target's own definition of the listed tables that can be swapped, by pg_dump. Begun early: it takes as long as many a check. It is
 * a shorter way and not a need: where it cannot be had, tables are rewritten.
 */
export class SwapDump {
  private readonly ended = new AbortController();
  private dumped: Promise<TableSwap | undefined> | undefined;

  constructor(private readonly request: SwapDumpRequest) {}

  /** Asks which tables, and leaves pg_dump at work. @throws SyncJobError */
  async begin(): Promise<void> {
    const tables = await this.swappable();
    this.dumped = tables === undefined ? Promise.resolve(undefined) : this.dump(tables);
  }

  /** @returns undefined when no table is to be swapped @throws SyncJobError */
  async swap(): Promise<TableSwap | undefined> {
    if (this.dumped === undefined) await this.begin();
    return this.dumped;
  }

  /** To be called in the end. Never rejects; resolves when nothing of it is left. */
  async discard(): Promise<void> {
    this.ended.abort();
    await this.dumped;
  }

  private async swappable(): Promise<Swappable | undefined> {
    const { plans, source, target, fromBytes, contexts } = this.request;
    const oids = plans.flatMap((plan) => plan.target?.oid ?? []);
    if (oids.length === 0) return undefined;
    const { client } = target;
    const found = await guard(contexts.on('target'), () => swappableTables(client, oids));
    if (found.size === 0 || found.size > MAX_TABLES) return undefined;
    const { majorVersion } = await guard(contexts.on('target'), () => readServerIdentity(client));
    if (majorVersion > NEWEST_KNOWN_SERVER) return undefined;
    const chosen = plans.filter((plan) => plan.target !== undefined && found.has(plan.target.oid));
    const relations = await guard(contexts.on('source'), () => measureRelations(source, chosen));
    const bytes = relations.reduce((sum, relation) => sum + relation.bytes, 0);
    if (!isWorthIt(bytes, chosen.length, fromBytes)) return undefined;
    const tables = chosen.map(({ index, name, target: table }) => ({
      tableIndex: index,
      oid: table?.oid ?? '',
      ...name,
    }));
    return { tables, majorVersion };
  }

  /** Never rejects. */
  private async dump({ tables, majorVersion }: Swappable): Promise<TableSwap | undefined> {
    const { target, log } = this.request;
    const signal = AbortSignal.any([this.request.signal, this.ended.signal]);
    try {
      const tools = await guard({ side: 'source' }, () => findPgTools(this.request.tools, majorVersion));
      const names = tables.map((name) => `--table=${quoteTable(name)}`);
      const selection = ['--strict-names', `--lock-wait-timeout=${LOCK_WAIT_MS}`, ...names];
      const database = target.target;
      const archive = await dumpSchema({ tools, database, selection, withRights: true, signal });
      try {
        const { creating, finishing } = chooseEntries(archive.entries, tableObjects(archive.entries));
        const rights = creating.filter(isRight);
        const bare = creating.filter((line) => !isRight(line));
        const sql = (entries: readonly string[]) =>
          entries.length === 0 ? '' : archive.sql(['pre-data', 'post-data'], entries);
        return {
          tables,
          createSql: await sql(bare),
          grantSql: await sql(rights),
          finishSql: await sql(finishing),
        };
      } finally {
        await archive.remove();
      }
    } catch (error) {
      if (!signal.aborted)
        log.info({ detail: errorDetail(error) }, 'existing tables will be rewritten: no pg_dump of them');
      return undefined;
    }
  }
}

interface Swappable {
  readonly tables: readonly SwappedTable[];
  readonly majorVersion: number;
}

/**
 * Rows that are few are written twice in less time than pg_dump takes, and than another table is made and compared, during which everybody is
 * locked out as well: about 3 ms a table, beside 13 ms for a MB of rows that is written twice.
 */
function isWorthIt(bytes: number, tables: number, fromBytes = 8 * MIB): boolean {
  return bytes >= fromBytes * (1 + tables / 32);
}

/** A line of an archive's list: `<id>; <catalog> <object> ACL …`. */
function isRight(line: string): boolean {
  return /^\d+; \d+ \d+ ACL /.test(line);
}

/** How existing tables are made a second time, under their real names. */
export interface TableSwap {
  readonly tables: readonly SwappedTable[];
  /** Before the rows. */
  readonly createSql: string;
  /** After that, when nobody has a right on them but their owners. */
  readonly grantSql: string;
  /** When the rows are in, and everything is in its place. */
  readonly finishSql: string;
}

export interface SwappedTable {
  readonly tableIndex: number;
  /** On the target. */
  readonly oid: string;
  readonly schema: string;
  readonly table: string;
}
