import { Client } from 'pg';

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
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [
    line(header),
    ...rows.flatMap((row, index) => (index % 2 === 0 && index > 0 ? ['', line(row)] : [line(row)])),
  ];
}

async function fiveCustomers(url: string): Promise<readonly (readonly string[])[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const columns = SHOWN.map((name) => `coalesce(${name}::text, 'NULL')`).join(', ');
    const { rows } = await client.query<string[]>({
      text: `SELECT id::text, ${columns} FROM customers WHERE company IS NOT NULL ORDER BY customers.id LIMIT 5`,
      rowMode: 'array',
    });
    return rows;
  } finally {
    await client.end();
  }
}
