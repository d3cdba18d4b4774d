import { type DatabaseError, databaseError } from '@understudy/postgres';

/** The rows that were being loaded when the server reported an error. */
export interface LoadingRows {
  /** The table's name as messages show it. */
  readonly table: string;
  readonly columns: readonly string[];
  /** Number of the first row that was sent. */
  readonly firstRow: number;
}

// The context line of an error inside COPY: `COPY t, line 3, column email: "…"`.
const COPY_LINE = /^COPY .*, line (\d+)/;

/**
 * Describes a server's error by table, column, row, constraint and kind of failure. Omits the server's own text,
 * because it quotes values.
 */
export function describeFailure(error: unknown, { table, columns, firstRow }: LoadingRows): string {
  const failure = databaseError(error, 'target');
  const { column: named } = failure.names;
  const column = named === undefined || !columns.includes(named) ? '' : `, column "${named}"`;
  const line = COPY_LINE.exec(textOf(error, 'where'))?.[1];
  const row = line === undefined ? '' : `, row ${firstRow + Number(line) - 1}`;
  const sqlstate = failure.sqlstate === undefined ? '' : ` (SQLSTATE ${failure.sqlstate})`;
  return `table ${table}${column}${row}: ${reasonOf(failure, textOf(error, 'constraint'))}${sqlstate}; nothing was loaded`;
}

function reasonOf(failure: DatabaseError, constraint: string): string {
  const named = constraint === '' ? '' : ` "${constraint}"`;
  switch (failure.code) {
    case 'constraint_violation':
      return failure.constraintKind === 'not_null'
        ? 'the column is NOT NULL, but the value is NULL'
        : `a row violates the ${failure.constraintKind?.replace('_', ' ') ?? ''} constraint${named}`;
    case 'value_invalid':
      return 'a value is invalid for the type of its column';
    case 'permission_denied':
      return 'the user has no permission to insert into this table';
    case 'disk_full':
      return 'the disk of the server is full';
    case 'lock_timeout':
      return 'another session kept the table locked for a minute';
    case 'connection_lost':
      return 'the connection to the server was lost';
    default:
      return 'the server refused the rows';
  }
}

function textOf(error: unknown, field: string): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
}
