import type { Client } from 'pg';
import { quoteIdentifier } from './quote.js';
import { EVALUATION_PATHS } from './statements/evaluation-paths.sql.js';

/**
 * The search paths with which the server evaluates rows: CHECK constraints, generated columns, partition keys and
 * indexes. Their functions may rely on the path that the database or the owner's role sets. The rest of our SQL runs
 * with an empty path.
 *
 * A path begins with pg_catalog and ends with pg_temp, which PostgreSQL never searches for functions. It contains only
 * schemas that exist, because another role could create a missing one.
 */
export class EvaluationPaths {
  private constructor(private readonly paths: ReadonlyMap<string | null, readonly string[]>) {}

  /**
   * @param tables the oids of existing tables
   * @param allowShared whether the paths may contain schemas in which other roles may create objects. A function of
   * another role would then run with the privileges of our role.
   * @param hidden by the name of a schema, another schema that contains objects that belong there
   */
  static async read(
    client: Client,
    tables: readonly string[],
    allowShared: boolean,
    hidden: ReadonlyMap<string, string> = new Map(),
  ): Promise<EvaluationPaths> {
    const { rows } = await client.query<PathRow>(EVALUATION_PATHS, [tables, allowShared]);
    const pathOf = ({ schemas, missing }: PathRow) =>
      schemas.flatMap((schema) =>
        [...(missing.includes(schema) ? [] : [schema]), hidden.get(schema) ?? []].flat(),
      );
    return new EvaluationPaths(new Map(rows.map((row) => [row.relation, pathOf(row)])));
  }

  /**
   * Returns SQL that sets the path until the transaction ends or {@link OWN_PATH} runs.
   * @param oid an existing table; undefined for a table that our role creates
   */
  sqlFor(oid: string | undefined): string {
    const schemas = this.paths.get(oid ?? null) ?? [];
    return `SET LOCAL search_path = ${['pg_catalog', ...schemas, 'pg_temp'].map(quoteIdentifier).join(', ')}`;
  }
}

interface PathRow {
  relation: string | null;
  schemas: string[];
  missing: string[];
}

/** Returns to the path of our own SQL within a transaction. */
export const OWN_PATH = `SET LOCAL search_path = ''`;
