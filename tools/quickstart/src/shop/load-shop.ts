import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { SHOP_SCHEMA } from './shop-schema.sql.js';
import { shopTables, type ShopSize, type ShopTable } from './shop-rows.js';

const ROWS_A_CHUNK = 500;

/**
 * Creates `database` on the server with the shop's schema and rows. Drops an existing database of that name.
 * @param serverUrl URL without a database name; its role owns the database
 * @returns the number of loaded rows of all tables
 */
export async function loadShop(serverUrl: string, database: string, size: ShopSize): Promise<number> {
  await recreateDatabase(serverUrl, database);
  const client = new Client({ connectionString: `${serverUrl}/${database}` });
  await client.connect();
  try {
    await client.query(SHOP_SCHEMA);
    let rows = 0;
    for (const table of shopTables(size)) {
      const into = client.query(copyFrom(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`));
      await pipeline(Readable.from(chunks(table)), into);
      rows += table.rows;
    }
    await client.query('ANALYZE');
    return rows;
  } finally {
    await client.end();
  }
}

/** Creates an empty `database`. Drops an existing database of that name and ends its sessions. */
export async function recreateDatabase(serverUrl: string, database: string): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end();
  }
}

function* chunks(table: ShopTable): Generator<string> {
  for (let from = 0; from < table.rows; from += ROWS_A_CHUNK) {
    let text = '';
    for (let index = from; index < Math.min(from + ROWS_A_CHUNK, table.rows); index += 1)
      text += `${table.row(index)}\n`;
    yield text;
  }
}
