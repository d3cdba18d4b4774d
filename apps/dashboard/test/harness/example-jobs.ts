import type { DashboardTest } from './dashboard-test.js';
import { seedAgent, seededAttempt, seedJob, type SeededTable } from './seed-jobs.js';

/** The ids of jobs in every state. */
export interface ExampleJobs {
  readonly completed: string;
  readonly failed: string;
  readonly running: string;
  readonly dryRun: string;
  /** Has the smallest set of values: it waits, and nothing is known. */
  readonly pending: string;
}

const MIB = 1_048_576;

/** Inserts jobs as an organisation has them: each state, subsets, hostile names and long errors. */
export async function seedExampleJobs(dashboard: DashboardTest): Promise<ExampleJobs> {
  await seedAgent(dashboard);
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000);
  const completed = await seedJob(dashboard, {
    number: 1,
    ...{ name: 'Nightly copy for staging', status: 'completed', age: 7_200, seconds: 214 },
    tables: SHOP_TABLES.map((table) => ({
      ...table,
      ...{ status: 'completed', rows: table.rowsTotal ?? 0, bytes: table.bytesTotal ?? 0 },
    })),
    columns: {
      attempts: 2,
      epoch: 2,
      phases: [
        { phase: 'preflight', durationMs: 2_140 },
        { phase: 'training', durationMs: 18_300 },
        { phase: 'copying', durationMs: 151_000 },
        { phase: 'indexing', durationMs: 24_000 },
        { phase: 'verifying', durationMs: 16_900 },
        { phase: 'switching', durationMs: 610 },
      ],
      attempt_history: [
        seededAttempt(
          1,
          at(7_190),
          [
            ['preflight', 2],
            ['training', 18],
            ['copying', 12],
          ],
          { outcome: 'failed', errorCode: 'connection_lost' },
        ),
        seededAttempt(
          2,
          at(7_150),
          [
            ['preflight', 2],
            ['copying', 151],
            ['verifying', 17],
            ['indexing', 24],
            ['switching', 1],
          ],
          { outcome: 'completed' },
        ),
      ],
      models: [{ name: 'private/product_names', hash: '5b'.repeat(32) }],
      verification: { checks: SHOP_TABLES.flatMap(checksOf) },
      warnings: [
        {
          code: 'constraint_not_applied',
          message: 'A constraint of the rule could not be applied to 12 rows, so these have other values.',
          field: 'tables[0].columns.email.constraints',
        },
      ],
    },
  });
  const failed = await seedJob(dashboard, {
    number: 2,
    ...{ name: 'Orders of the last quarter', status: 'failed', age: 5_400, seconds: 41 },
    tables: SHOP_TABLES.map((table, index) =>
      index === 0
        ? { ...table, status: 'completed', rows: table.rowsTotal ?? 0, bytes: table.bytesTotal ?? 0 }
        : table,
    ),
    columns: {
      source_display: 'postgresql://reader@db-1.internal:5432/shop',
      source: { kind: 'sealed', by_agent: {} },
      error_code: 'constraint_violation',
      error_message:
        'The new rows of column "email" of table "customers" break a constraint of the target. The target is as it was before. Find these rows in the source and correct them, or change the rules.',
      attempt_history: [
        seededAttempt(
          1,
          at(5_390),
          [
            ['preflight', 3],
            ['copying', 38],
          ],
          { outcome: 'failed', errorCode: 'constraint_violation' },
        ),
      ],
    },
  });
  const running = await seedJob(dashboard, {
    number: 3,
    ...{ name: 'Full copy of the shop', status: 'running', age: 95 },
    tables: SHOP_TABLES.map((table, index) => ({ ...table, ...partlyCopied(table, index) })),
    columns: {
      pace: {
        phase: 'copying',
        rowsPerSecond: 48_200,
        bytesPerSecond: 9_800_000,
        estimatedEnd: new Date(Date.now() + 240_000).toISOString(),
      },
      attempt_history: [
        seededAttempt(
          1,
          at(93),
          [
            ['preflight', 2],
            ['copying', null],
          ],
          null,
        ),
      ],
    },
  });
  const dryRun = await seedJob(dashboard, {
    number: 4,
    ...{ name: 'Check of the new rules', status: 'completed', age: 1_800, seconds: 3 },
    tables: SHOP_TABLES.slice(0, 2),
    columns: {
      definition: { unlistedColumns: 'reject', dryRun: true, tables: [] },
      prediction: {
        problems: [
          {
            code: 'column_unlisted',
            message:
              'Table "orders" of the source has column "note" without a rule, and unlisted_columns is "reject". Add a rule for the column. A job that replaces only tables can also change unlisted_columns.',
            details: [{ field: 'tables[1].columns', message: 'has no rule for the column "note"' }],
          },
        ],
        problemCount: 1,
        tables: [
          { name: 'customers', rows: 1_200_000 },
          { name: 'orders', rows: 0 },
        ],
      },
    },
  });
  const pending = await seedJob(dashboard, {
    number: 5,
    ...{ name: `<b onclick="alert(1)">${'long '.repeat(30)}</b> שלום`, status: 'pending', age: 20 },
    tables: [{ name: 'customers' }],
  });
  await seedJob(dashboard, {
    number: 6,
    ...{ name: 'Copy that nobody needed', status: 'failed', age: 90_000, seconds: 8 },
    tables: [{ name: 'customers' }],
    columns: {
      error_code: 'cancelled',
      error_message: 'The job was cancelled. The target is as it was before.',
    },
  });
  return { completed, failed, running, dryRun, pending };
}

const SHOP_TABLES: readonly SeededTable[] = [
  {
    name: 'customers',
    rowsTotal: 1_204_331,
    bytesTotal: 212 * MIB,
    rules: {
      first_name: { generator: 'en_US/first_names' },
      last_name: { generator: 'en_US/last_names' },
      email: { generator: 'template', pattern: '{{slug(first_name)}}.{{uuid}}@example.com', unique: true },
      status: { generator: { type: 'choice', values: ['active', 'closed'] } },
      country: { preserve: true },
    },
    subset: { where: "country = 'DE'", limit: 50_000 },
  },
  {
    name: 'orders',
    rowsTotal: 5_410_902,
    bytesTotal: 880 * MIB,
    rules: { shipping_name: { generator: 'en_US/last_names', consistent: true } },
  },
  { name: 'order_items', rowsTotal: 16_904_120, bytesTotal: 2_140 * MIB },
  {
    name: 'products',
    rowsTotal: 8_412,
    bytesTotal: 3 * MIB,
    rules: { name: { generator: 'private/product_names', train: { order: 4, min_values: 5 } } },
  },
  { name: 'audit."Odd Name"', rowsTotal: 91_240, bytesTotal: 14 * MIB },
  { name: 'sessions', rowsTotal: 2_000_000, bytesTotal: 310 * MIB },
];

function partlyCopied({ rowsTotal, bytesTotal }: SeededTable, index: number): Partial<SeededTable> {
  const share = [1, 0.62, 0.18, 1, 0, 0][index] ?? 0;
  const status = share === 1 ? 'completed' : share === 0 ? 'pending' : 'copying';
  return {
    status,
    rows: Math.floor((rowsTotal ?? 0) * share),
    bytes: Math.floor((bytesTotal ?? 0) * share),
  };
}

function checksOf({ name, rowsTotal }: SeededTable, index: number) {
  const rows = rowsTotal ?? 0;
  return [
    {
      ...{ check: 'row_count', table: name, ok: true, column: null, lookedAt: null },
      rows: { source: rows, copied: rows, target: rows },
    },
    { check: 'preserved_columns', table: name, ok: true, column: null, lookedAt: 6, rows: null },
    ...(index < 2
      ? [{ check: 'masked_columns', table: name, ok: true, column: null, lookedAt: 4, rows: null }]
      : []),
  ];
}
