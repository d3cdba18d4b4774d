import {
  type CopyIn,
  disconnect,
  type InsertableTable,
  killSession,
  parseTableName,
  quoteIdentifier,
  quoteTable,
  readInsertableTable,
  type Session,
  startCopyIn,
} from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import type { RowOutput } from '../io/output-file.js';
import { columnProblems } from './column-problems.js';
import { describeFailure, type LoadingRows } from './describe-failure.js';
import { openDatabase } from './open-database.js';

export interface TableRequest {
  readonly url: string;
  /** The table's name in SQL syntax. Without a schema, the table is in `public`. */
  readonly table: string;
  readonly columns: readonly string[];
  /** The number of the first row, for messages. */
  readonly firstRow: number;
}

/**
 * Time in milliseconds after which the CLI terminates the session of an abandoned COPY that has not ended.
 */
const ABANDON_TIMEOUT_MS = 2_000;

/** Loads rows in COPY's text format into a table, in one transaction: either all rows are stored or none. */
export class TableOutput implements RowOutput {
  private discarding: Promise<void> | undefined;

  private constructor(
    private readonly session: Session,
    private readonly copy: CopyIn,
    private readonly rows: LoadingRows,
    /** The columns that have an array type. */
    readonly arrays: readonly string[],
  ) {}

  /**
   * Connects, compares the table with the columns and starts COPY.
   * @param signal aborts the call, also while it waits for a lock on the table
   * @throws CliError if the connection fails or the table cannot take the rows
   */
  static async open(request: TableRequest, signal: AbortSignal): Promise<TableOutput> {
    const name = parseTableName(request.table);
    if (name === undefined)
      throw new CliError(
        EXIT.usage,
        `--table: ${request.table} is not a table name, expected a name such as people or "Sales".people`,
      );
    const session = await openDatabase(request.url);
    const rows = { ...request, table: `${name.schema}.${name.table}` };
    const kill = (): void => void killSession(session);
    signal.addEventListener('abort', kill);
    try {
      signal.throwIfAborted();
      const { columns } = await check(session, name, rows);
      const arrays = columns.filter(({ isArray }) => isArray).map((column) => column.name);
      return new TableOutput(session, await begin(session, name, rows.columns), rows, arrays);
    } catch (error) {
      await disconnect(session.client);
      throw error instanceof CliError ? error : loadingError(error, rows);
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.describingErrors(async () => this.copy.write(bytes));
  }

  async finish(): Promise<void> {
    await this.describingErrors(async () => {
      await this.copy.finish();
      await this.session.client.query('COMMIT');
    });
    await disconnect(this.session.client);
  }

  discard(): Promise<void> {
    this.discarding ??= this.rollBackAndThrow();
    return this.discarding;
  }

  private async rollBackAndThrow(): Promise<void> {
    // A server that waits for a lock does not notice the end of the rows, so the timer terminates its
    // session.
    const timer = setTimeout(() => void killSession(this.session), ABANDON_TIMEOUT_MS);
    await this.copy.abandon();
    clearTimeout(timer);
    await disconnect(this.session.client);
  }

  private async describingErrors<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw loadingError(error, this.rows);
    });
  }
}

function loadingError(error: unknown, rows: LoadingRows): CliError {
  return new CliError(EXIT.database, describeFailure(error, rows));
}

async function check(
  { client }: Session,
  name: TableName,
  { table, columns }: LoadingRows,
): Promise<InsertableTable> {
  const found = await readInsertableTable(client, name);
  const problems = found ? columnProblems(found, columns) : ['there is no such table'];
  if (found && problems.length === 0) return found;
  throw new CliError(EXIT.refused, problems.map((problem) => `table ${table}: ${problem}`).join('\n'));
}

async function begin({ client }: Session, name: TableName, columns: readonly string[]): Promise<CopyIn> {
  await client.query('BEGIN');
  return startCopyIn(
    client,
    `COPY ${quoteTable(name)} (${columns.map(quoteIdentifier).join(', ')}) FROM STDIN`,
  );
}
