/** A job file as `understudy init` writes it, for the tables of the agent of the tests. */
export const JOB_FILE = `// Copies a database and replaces the values of the columns that look personal.
{
  "name": "copy of shop",
  "source": { "type": "postgresql", "connection_string": "postgresql://me:\${PGPASSWORD}@db.internal/shop" },
  "target": { "type": "postgresql", "url_env": "TARGET_URL" },
  "unlisted_columns": "reject",
  "tables": [
    {
      "name": "customers", // 200 rows sampled
      "columns": {
        "id": { "preserve": true },
        // looks like a full name (98 % of the sampled values)
        "name": { "generator": "en_US/full_names" },
        // TO DECIDE: e-mail address (the name of the column); no rule fits its type
        "email": { "preserve": true }
      }
    },
    {
      "name": "stock", // 12 rows sampled
      "columns": {
        "id": { "preserve": true }
      }
    }
  ]
}
`;

/** A job file with many columns: `tables` tables of ten columns each. */
export function largeJobFile(tables: number): string {
  const columns = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `column_${index}`,
      index % 3 === 0 ? { generator: 'template', pattern: '{{uuid}}@example.com' } : { preserve: true },
    ]),
  );
  return JSON.stringify({
    name: 'large',
    tables: Array.from({ length: tables }, (_, index) => ({ name: `table_${index}`, columns })),
  });
}
