import { withClient } from '@understudy/local-system';

const SHOWN = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'company'] as const;

/**
 * Reads five customers of both databases.
 * @returns lines of text, with the masked row of each customer below its original row
 */
export async function beforeAndAfter(sourceUrl: string, targetUrl: string): Promise<readonly string[]> {
  const [before, after] = await Promise.all([fiveCustomers(sourceUrl), fiveCustomers(targetUrl)]);
  const header = ['', 'id', ...SHOWN];
  const rows = before.flatMap((row, index) => [
    ['before', ...row],
    ['after', ...(after[index] ?? [])],
  ]);
  const [head = '', ...lines] = inColumns([header, ...rows]);
  return [head, ...lines.flatMap((line, index) => (index % 2 === 0 && index > 0 ? ['', line] : [line]))];
}

/** Returns a line for each row, with the cells in columns of equal width. */
export function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function fiveCustomers(url: string): Promise<readonly (readonly string[])[]> {
  return withClient(url, async (client) => {
    const columns = SHOWN.map((name) => `coalesce(${name}::text, 'NULL')`).join(', ');
    const { rows } = await client.query<string[]>({
      text: `SELECT id::text, ${columns} FROM customers WHERE company IS NOT NULL ORDER BY customers.id LIMIT 5`,
      rowMode: 'array',
    });
    return rows;
  });
}
