import { copyOut, type Client } from '@understudy/postgres';

/**
 * Runs a query whose columns are `tableoid, ctid` of one or more rows side by side, and calls `onRow` with their numbers:
 * oid, page and row of each. A row that an outer join did not find is to be `0, (0,0)`. Nothing is kept: memory is flat
 * for any number of rows.
 * @param onRow the array is the reader's: used again for the next row
 */
export async function readPlaces(
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
