import { copyOut, type Client } from '@understudy/postgres';

/**
 * Runs a query that selects `tableoid` and `ctid` of one row or of several joined rows. Calls `onRow` for
 * each row of the result, with three numbers for each joined row: oid, page and row number. The query must
 * return `0, (0,0)` if an outer join found no row. Memory is constant for any number of rows.
 * @param onRow must not keep the array, because the next call reuses it
 */
export async function readLocations(
  client: Client,
  select: string,
  onRow: (numbers: readonly number[]) => void,
): Promise<void> {
  const numbers: number[] = [];
  let count = 0;
  let value = -1;
  await copyOut(client, `COPY (${select}) TO STDOUT`, (chunk) => {
    for (const byte of chunk) {
      if (byte >= ZERO && byte <= NINE) {
        value = (value < 0 ? 0 : value * 10) + byte - ZERO;
        continue;
      }
      if (value >= 0) numbers[count++] = value;
      value = -1;
      if (byte !== NEWLINE) continue;
      onRow(numbers);
      count = 0;
    }
    return undefined;
  });
}

const ZERO = 0x30;
const NINE = 0x39;
const NEWLINE = 0x0a;
