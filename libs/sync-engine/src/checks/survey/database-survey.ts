import { openJobSession } from '../../session/open-session.js';
import {
  type ConnectionTarget,
  disconnect,
  type Client,
  LIST_RELATIONS,
  SURVEY_COLUMNS,
  readForeignKeys,
  readRowsByTable,
  readTableKeys,
  refusePooler,
  schemasAndNames,
  UNLISTED_TABLES,
  withoutNulls,
} from '@understudy/postgres';
import { SyncJobError, type TableName } from '@understudy/sync-job';
import { guard } from '../../session/guard.js';
import {
  type DocumentProgress,
  type DocumentRequest,
  type DocumentSink,
  readDocuments,
} from './read-documents.js';
import { sampleTable, type SampleRequest, type TableSample, type ValueSink } from './sample-table.js';
import type {
  DatabaseContents,
  ListedTable,
  SurveyedColumn,
  SurveyedReference,
  SurveyedTable,
} from './surveyed-table.js';

const CATALOG_MS = 60_000;
/** The time to wait for a lock on a table. The server also locks a table to print its expressions. */
const LOCK_MS = 5_000;
/** The number of tables that one statement describes. */
const BATCH = 200;

/**
 * Inspects a database through its catalogs and a few rows. Each method runs one or more short read-only
 * transactions with a time limit, so that no lock and no snapshot is held for long.
 */
export class DatabaseSurvey {
  private constructor(readonly client: Client) {}

  /** Connects to the database. @throws SyncJobError if the connection fails or a pooler does not keep sessions */
  static async open(target: ConnectionTarget): Promise<DatabaseSurvey> {
    const session = await openJobSession(target, 'source', 'understudy-init');
    try {
      await guard({ side: 'source' }, () => refusePooler(session));
    } catch (error) {
      await disconnect(session.client);
      throw error;
    }
    return new DatabaseSurvey(session.client);
  }

  close(): Promise<void> {
    return disconnect(this.client);
  }

  /** Lists the tables and counts the other relations. @throws SyncJobError */
  contents(): Promise<DatabaseContents> {
    return this.reading(CATALOG_MS, async () => {
      const { rows } = await this.client.query<{ kind: string; relation: ListedTable }>(LIST_RELATIONS);
      const tables = rows.filter(({ kind }) => kind === 'r' || kind === 'p');
      return {
        tables: tables.map(({ relation }) => withoutNulls(relation)),
        views: rows.filter(({ kind }) => kind === 'v' || kind === 'm').length,
        foreignTables: rows.filter(({ kind }) => kind === 'f').length,
      };
    });
  }

  /**
   * Lists the tables that a job which lists the given tables does not copy.
   * @param withConfiguration true to list also the configuration tables of extensions
   * @throws SyncJobError
   */
  unlisted(listed: readonly ListedTable[], withConfiguration: boolean): Promise<readonly TableName[]> {
    const names = listed.map(({ name }) => name);
    return this.reading(CATALOG_MS, async () => {
      const { rows } = await this.client.query<TableName>(UNLISTED_TABLES, [
        ...schemasAndNames(names),
        withConfiguration,
      ]);
      return rows;
    });
  }

  /** Describes the tables, 200 at a time. @throws SyncJobError */
  async *describe(tables: readonly ListedTable[]): AsyncGenerator<SurveyedTable> {
    for (let at = 0; at < tables.length; at += BATCH) {
      const batch = tables.slice(at, at + BATCH);
      yield* await this.reading(CATALOG_MS, () => this.describeBatch(batch));
    }
  }

  /** Returns the foreign keys among the tables. @throws SyncJobError */
  references(tables: readonly ListedTable[]): Promise<readonly SurveyedReference[]> {
    const oids = tables.map(({ oid }) => oid);
    const known = new Set(oids);
    return this.reading(CATALOG_MS, async () =>
      (await readForeignKeys(this.client, oids)).filter(
        ({ table, referenced }) => known.has(table) && known.has(referenced),
      ),
    );
  }

  /**
   * Reads values of a table's columns. Never throws: returns how far it came, with the reason if it could not read all
   * rows of the sample.
   */
  async sample(request: SampleRequest, sink: ValueSink): Promise<TableSampled> {
    let sample: TableSample | undefined;
    try {
      await this.reading(request.timeoutMs, () =>
        sampleTable(this.client, request, sink, (progress) => {
          sample = progress;
        }),
      );
      return { sample };
    } catch (error) {
      return { sample, unread: unreadReason(error) };
    }
  }

  /**
   * Reads the documents of a column as a stream. Never throws: returns how far it came, with the reason if it
   * could not read everything.
   */
  async readDocuments(request: DocumentRequest, sink: DocumentSink): Promise<DocumentsRead> {
    let reading: DocumentProgress = { total: 0, complete: 0, isCut: false, largestBytes: 0 };
    try {
      await this.reading(request.timeoutMs, () =>
        readDocuments(this.client, request, sink, (progress) => {
          reading = progress;
        }),
      );
      return reading;
    } catch (error) {
      return { ...reading, unread: unreadReason(error) };
    }
  }

  /** Runs work in a read-only transaction with time limits for each statement and each lock. @throws SyncJobError */
  async reading<T>(statementMs: number, work: () => Promise<T>): Promise<T> {
    return guard({ side: 'source' }, async () => {
      // The JIT compilation of such a statement takes longer than its execution.
      await this.client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(statementMs)};
         SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL jit = off`,
      );
      try {
        return await work();
      } finally {
        await this.client.query('ROLLBACK');
      }
    });
  }

  private async describeBatch(tables: readonly ListedTable[]): Promise<readonly SurveyedTable[]> {
    const oids = tables.map(({ oid }) => oid);
    const columns = await readRowsByTable<CatalogColumn>(this.client, SURVEY_COLUMNS, [oids]);
    const keys = await readTableKeys(this.client, oids);
    return tables.map((table) => {
      const { unique = [], derived = [], checks = [], types } = keys.get(table.oid) ?? {};
      const inputsOf = (name: string) => checks.find(({ computes }) => computes === name)?.columns ?? [];
      const computed = unique.map(({ columns }) => ({
        columns: columns.flatMap(inputsOf),
        isSingle: columns.length === 1,
      }));
      return {
        ...table,
        unique,
        derivedKeys: [...derived, ...computed].filter(({ columns }) => columns.length > 0),
        checkedColumns: new Set(checks.flatMap((check) => check.columns)),
        columns: (columns.get(table.oid) ?? []).map((column) => ({
          ...column,
          sqlType: types?.get(column.name)?.sql ?? column.type,
          notNull: column.notNull || types?.get(column.name)?.notNull === true,
          computedFrom: inputsOf(column.name),
        })),
      };
    });
  }
}

/** The sample, absent if not even its size could be read, with the reason if not all of its rows could be read. */
export interface TableSampled {
  readonly sample: TableSample | undefined;
  readonly unread?: UnreadReason;
}

/** The reading of a column's documents, with the reason if not all could be read. */
export type DocumentsRead = DocumentProgress & { readonly unread?: UnreadReason };

/** The reason why values could not be read. */
export type UnreadReason =
  | 'timeout'
  | 'permission'
  | 'encoding'
  | 'recovery'
  | 'locked'
  | 'too_large'
  | 'connection'
  | 'other';

function unreadReason(error: unknown): UnreadReason {
  if (!(error instanceof SyncJobError)) throw error;
  const { code, sqlstate = '' } = error.failure;
  if (code === 'connection_lost' || code === 'connection_failed') return 'connection';
  return REASONS[sqlstate] ?? REASONS[sqlstate.slice(0, 2)] ?? 'other';
}

/** The reasons of SQLSTATEs and of their classes. */
const REASONS: Readonly<Record<string, UnreadReason>> = {
  '57014': 'timeout',
  '42501': 'permission',
  '22021': 'encoding',
  '22P05': 'encoding',
  // A standby reads no unlogged table, and cancels statements that conflict with its recovery.
  '0A000': 'recovery',
  '40001': 'recovery',
  '55P03': 'locked',
  '53': 'too_large',
  '54': 'too_large',
};

type CatalogColumn = Omit<SurveyedColumn, 'sqlType' | 'computedFrom'>;
