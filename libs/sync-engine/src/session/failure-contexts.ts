import { sqlName, parseTableName, type Session } from '@understudy/postgres';
import type { DatabaseSide, SqlName, SyncJobCommand } from '@understudy/sync-job';
import type { FailureContext } from './guard.js';
import { locatedSession, type LocatedSession } from './located-client.js';

/** A constraint or unique index from the catalogs. */
export interface NamedConstraint {
  readonly name: string;
  readonly tableIndex: number;
  /** The columns that the constraint reads, also through generated columns. */
  readonly columns: readonly string[];
}

/**
 * Translates the names in database errors into positions in the command's lists, or into names from the catalogs.
 * Other names are dropped, so they cannot leave the agent.
 */
export class FailureContexts {
  private readonly tables: readonly { readonly key: string; readonly columns: readonly string[] }[];

  private constraints: ReadonlyMap<string, SqlName> = new Map();
  private columnsOf: ReadonlyMap<string, readonly string[]> = new Map();
  private ruled: ReadonlyMap<number, ReadonlySet<string>> = new Map();
  private eventTriggers: readonly string[] = [];
  private readonly names: Set<string>;

  constructor(command: Pick<SyncJobCommand, 'tables'>) {
    this.tables = command.tables.map(({ name, columns }) => {
      const parsed = parseTableName(name);
      return {
        key: parsed === undefined ? '' : keyOf(parsed.schema, parsed.table),
        columns: columns.map((column) => column.name),
      };
    });
    this.names = new Set(
      command.tables.flatMap(({ name, columns }) => [
        ...Object.values(parseTableName(name) ?? {}),
        ...columns.map((column) => column.name),
      ]),
    );
  }

  /** Returns whether a schema, table, column or constraint of the job has the name. */
  readonly knowsName = (name: string): boolean => this.names.has(name);

  /**
   * Allows later failures to contain the names of these constraints.
   * @param columns the names of columns, which may be in the local log
   */
  know(constraints: readonly NamedConstraint[], columns: readonly string[]): void {
    for (const name of [...constraints.map((constraint) => constraint.name), ...columns])
      this.names.add(name);
    this.constraints = new Map(
      constraints.flatMap(({ name: text }) => {
        const name = sqlName(text);
        return name === undefined ? [] : [[text, name] as const];
      }),
    );
    const columnsOf = new Map<string, readonly string[]>();
    for (const { tableIndex, name, columns } of constraints) {
      const id = JSON.stringify([tableIndex, name]);
      columnsOf.set(id, [...(columnsOf.get(id) ?? []), ...columns]);
    }
    this.columnsOf = columnsOf;
  }

  /** Lets later failures distinguish constraints of masked columns. @param ruled the columns with rules by table */
  knowRules(ruled: ReadonlyMap<number, ReadonlySet<string>>): void {
    this.ruled = ruled;
  }

  /** Lets later failures of the target name its event triggers. @param functions as errors name them: `schema.name()` */
  knowEventTriggers(functions: readonly string[]): void {
    this.eventTriggers = functions;
  }

  /** Returns the session with a client whose errors these names locate. */
  locate(session: Session): LocatedSession {
    return locatedSession(session, this.on(session.side));
  }

  on(side: DatabaseSide, tableIndex?: number): FailureContext {
    return {
      ...{ side, tableIndex },
      tableIndexOf: (schema, table) =>
        found(this.tables.findIndex(({ key }) => key === keyOf(schema, table))),
      columnIndexOf: (index, column) => found(this.tables[index]?.columns.indexOf(column) ?? -1),
      isInEventTrigger: (where) =>
        side === 'target' && this.eventTriggers.some((name) => where.includes(` ${name}`)),
      constraintOf: (name) => this.constraints.get(name),
      readsRuledColumn: (index, name) =>
        this.columnsOf
          .get(JSON.stringify([index, name]))
          ?.some((column) => this.ruled.get(index)?.has(column) === true) === true,
    };
  }
}

function keyOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

function found(index: number): number | undefined {
  return index === -1 ? undefined : index;
}
