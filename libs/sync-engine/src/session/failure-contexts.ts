import { sqlName, parseTableName } from '@understudy/postgres';
import type { DatabaseSide, SqlName, SyncJobCommand } from '@understudy/sync-job';
import type { FailureContext } from './guard.js';

/**
 * Translates the names in database errors into positions in the command's lists, or into names from the catalogs.
 * Other names are dropped, so they cannot leave the agent.
 */
export class FailureContexts {
  private readonly tables: readonly { readonly key: string; readonly columns: readonly string[] }[];

  private constraints: ReadonlyMap<string, SqlName> = new Map();

  constructor(command: Pick<SyncJobCommand, 'tables'>) {
    this.tables = command.tables.map(({ name, columns }) => {
      const parsed = parseTableName(name);
      return {
        key: parsed === undefined ? '' : keyOf(parsed.schema, parsed.table),
        columns: columns.map((column) => column.name),
      };
    });
  }

  /** Allows later failures to contain these constraint names. @param names from the catalogs */
  know(names: readonly string[]): void {
    this.constraints = new Map(
      names.flatMap((text) => {
        const name = sqlName(text);
        return name === undefined ? [] : [[text, name] as const];
      }),
    );
  }

  on(side: DatabaseSide, tableIndex?: number): FailureContext {
    return {
      side,
      ...(tableIndex === undefined ? {} : { tableIndex }),
      tableIndexOf: (schema, table) =>
        found(this.tables.findIndex(({ key }) => key === keyOf(schema, table))),
      columnIndexOf: (index, column) => found(this.tables[index]?.columns.indexOf(column) ?? -1),
      constraintOf: (name) => this.constraints.get(name),
    };
  }
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

function found(index: number): number | undefined {
  return index === -1 ? undefined : index;
}
