import { ByteSink } from '@understudy/bytes';
import { writeTextField } from '@understudy/copy-format';
import { startCopyIn, type Client } from '@understudy/postgres';

/** The largest number of columns in a foreign key, unless the server was built with another limit. */
const MAX_COLUMNS = 32;
const TAB = 0x09;
const NEWLINE = 0x0a;

export const REFERENCES_TABLE = 'pg_temp.understudy_references';

/**
 * Creates the temporary table through which references of the source reach the target. A server may log the
 * parameters of a statement and quote them in errors, but it does not log the rows that COPY sends. The table
 * is dropped at the end of the session. Call this outside a transaction, because a read-only transaction
 * cannot create a table.
 */
export async function makeReferencesTable(client: Client): Promise<void> {
  const columns = Array.from({ length: MAX_COLUMNS }, (_, i) => `v${i} text`);
  await client.query(`CREATE TEMP TABLE understudy_references (${columns.join(', ')})`);
}

/**
 * Replaces the rows of the table. Works in a read-only transaction.
 * @param rows a text for each column, never NULL
 */
export async function fillReferencesTable(
  client: Client,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const columns = (rows[0] ?? []).map((_, i) => `v${i}`).join(', ');
  const out = new ByteSink(64 * 1024);
  for (const row of rows) {
    row.forEach((value, i) => {
      if (i > 0) out.writeByte(TAB);
      writeTextField(out, value);
    });
    out.writeByte(NEWLINE);
  }
  await client.query(`DELETE FROM ${REFERENCES_TABLE}`);
  const copy = await startCopyIn(client, `COPY ${REFERENCES_TABLE} (${columns}) FROM STDIN`);
  await copy.write(out.bytes.subarray(0, out.length));
  await copy.finish();
}
