import { escapeLiteral } from 'pg';

import { createDatabase } from './databases.js';
import { SHOP_SCHEMA } from './shop-schema.sql.js';
import { shopTables, type ShopSize, type ShopTable } from './shop-rows.js';

const ROWS_A_STATEMENT = 500;

/**
 * Creates `database` on the server with the shop's schema and rows. It replaces an existing database of that name
 * when everything is loaded. Uses INSERT, because the control plane has no package that copies rows.
 * @param serverUrl URL without a database name; its role owns the database
 * @param signal aborts between two statements
 * @returns the number of loaded rows of all tables
 */
export function loadShop(
  serverUrl: string,
  database: string,
  size: ShopSize,
  signal?: AbortSignal,
): Promise<number> {
  return createDatabase(serverUrl, database, async (client) => {
    await client.query(SHOP_SCHEMA);
    let rows = 0;
    for (const table of shopTables(size)) {
      for (const statement of inserts(table)) {
        signal?.throwIfAborted();
        await client.query(statement);
      }
      rows += table.rows;
    }
    await client.query('ANALYZE');
    return rows;
  });
}

function* inserts({ name, columns, rows, row }: ShopTable): Generator<string> {
  for (let from = 0; from < rows; from += ROWS_A_STATEMENT) {
    const count = Math.min(ROWS_A_STATEMENT, rows - from);
    const values = Array.from(
      { length: count },
      (_, index) =>
        `(${row(from + index)
          .map(literal)
          .join(', ')})`,
    );
    yield `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${values.join(', ')}`;
  }
}

function literal(value: string | null): string {
  return value === null ? 'NULL' : escapeLiteral(value);
}
