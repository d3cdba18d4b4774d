import type { EngineLog } from '../../engine-log.js';
import { chooseEntries, tableObjects } from '../../postgres/choose-entries.js';
import { findPgTools, type PgToolPlaces } from '../../postgres/pg-tools.js';
import { quoteTable } from '../../postgres/quote.js';
import { dumpSchema } from '../../postgres/schema-archive.js';
import type { Session } from '../../postgres/session.js';
import type { TablePlan } from '../table-plan.js';
import { EXCHANGEABLE_TABLES } from './exchangeable-tables.sql.js';
import type { ExchangedTable, TableExchange } from './table-exchange.js';

export interface ExchangeDumpRequest {
  readonly plans: readonly Pick<TablePlan, 'index' | 'target'>[];
  readonly target: Session;
  readonly tools: PgToolPlaces;
  readonly log: EngineLog;
  readonly signal: AbortSignal;
}

/** What the catalogs are known to say of tables: a later server may have something that is not carried over. */
const NEWEST_KNOWN_SERVER = 18;
/** Each is an argument of pg_dump, and a lock on the server. */
const MAX_TABLES = 1_000;
const LOCK_WAIT_MS = 2_000;

/**
 * The target's own definition of the listed tables that can be exchanged, by pg_dump. Begun early: it takes as long as many a check. It is
 * a shorter way and not a need: where it cannot be had, tables are rewritten.
 */
export class ExchangeDump {
  private readonly ended = new AbortController();
  private dumped: Promise<TableExchange | undefined> | undefined;

  constructor(private readonly request: ExchangeDumpRequest) {}

  /** Asks which tables, and leaves pg_dump at work. @throws PostgreSQL's own errors */
  async begin(): Promise<void> {
    const tables = await this.exchangeable();
    this.dumped = tables === undefined ? Promise.resolve(undefined) : this.dump(tables);
  }

  /** @returns undefined when no table is to be exchanged @throws PostgreSQL's own errors */
  async exchange(): Promise<TableExchange | undefined> {
    if (this.dumped === undefined) await this.begin();
    return this.dumped;
  }

  /** To be called in the end. Never rejects; resolves when nothing of it is left. */
  async discard(): Promise<void> {
    this.ended.abort();
    await this.dumped;
  }

  private async exchangeable(): Promise<Exchangeable | undefined> {
    const { plans, target } = this.request;
    const existing = plans.flatMap(({ index, target: table }) => (table ? [{ index, ...table }] : []));
    if (existing.length === 0) return undefined;
    const oids = existing.map(({ oid }) => oid);
    const { rows } = await target.client.query<{ oid: string; major: number }>(EXCHANGEABLE_TABLES, [oids]);
    const [first] = rows;
    if (first === undefined || first.major > NEWEST_KNOWN_SERVER || rows.length > MAX_TABLES)
      return undefined;
    const found = new Set(rows.map(({ oid }) => oid));
    const tables = existing
      .filter(({ oid }) => found.has(oid))
      .map(({ index, oid, name }) => ({ tableIndex: index, oid, ...name }));
    return { tables, major: first.major };
  }

  /** Never rejects. */
  private async dump({ tables, major }: Exchangeable): Promise<TableExchange | undefined> {
    const { target, log } = this.request;
    const signal = AbortSignal.any([this.request.signal, this.ended.signal]);
    try {
      const tools = await findPgTools(this.request.tools, major);
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
        log.info({ detail: String(error) }, 'existing tables will be rewritten: no pg_dump of them');
      return undefined;
    }
  }
}

interface Exchangeable {
  readonly tables: readonly ExchangedTable[];
  readonly major: number;
}

/** A line of an archive's list: `<id>; <catalog> <object> ACL …`. */
function isRight(line: string): boolean {
  return /^\d+; \d+ \d+ ACL /.test(line);
}
