import { ByteSink } from '@understudy/bytes';
import { writeTextField } from '@understudy/copy-format';
import { startCopyIn, type Client } from '@understudy/postgres';

/** A foreign key has at most so many columns, unless the server was built otherwise. */
const MAX_COLUMNS = 32;
const TAB = 0x09;
const NEWLINE = 0x0a;

export const REFERENCES_TABLE = 'pg_temp.understudy_references';

/**
 * Makes the temporary table through which references of the source reach the target. A server may log the parameters of
 * a statement, and quotes them in errors; of COPY it logs the statement only. It goes with the session. To be called outside
 * of a transaction: a read-only one makes no table.
 */
export async function makeReferencesTable(client: Client): Promise<void> {
  const columns = Array.from({ length: MAX_COLUMNS }, (_, i) => `v${i} text`);
  await client.query(`CREATE TEMP TABLE understudy_references (${columns.join(', ')})`);
}

/** Replaces what the table holds. Works in a read-only transaction. @param rows one text a column, none of them NULL */
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
