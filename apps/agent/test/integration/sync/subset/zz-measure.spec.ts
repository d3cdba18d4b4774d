import { describeTable } from '../../../../src/postgres/describe-table.js';
import { disconnect } from '../../../../src/postgres/connect.js';
import { openSession } from '../../../../src/postgres/session.js';
import { parseConnectionUrl } from '../../../../src/policy/connection-url.js';
import { FailureContexts } from '../../../../src/sync/failure-contexts.js';
import { planSubset } from '../../../../src/sync/subset/plan-subset.js';
import { SyncHarness } from '../sync-harness.js';
it('measures', async () => {
  const harness = await SyncHarness.start();
  const db = await harness.database(`
    CREATE TABLE customer (id int PRIMARY KEY, v int, pad text); CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, pad text);
    CREATE TABLE line (id int PRIMARY KEY, order_id int REFERENCES orders, pad text);
    CREATE TABLE person (id int PRIMARY KEY, boss int REFERENCES person, region int);
    INSERT INTO customer SELECT n, n % 100, repeat('x', 60) FROM generate_series(1, 100000) n;
    INSERT INTO orders SELECT n, (n::bigint * 7919 % 100000) + 1, repeat('x', 60) FROM generate_series(1, 500000) n;
    INSERT INTO line SELECT n, (n::bigint * 104729 % 500000) + 1, repeat('x', 60) FROM generate_series(1, 1000000) n;
    INSERT INTO person SELECT n, CASE WHEN n > 1 THEN n - 1 END, 1 FROM generate_series(1, 20000) n; ANALYZE;`);
  const session = await openSession(parseConnectionUrl(db.url), 'source');
  for (const [label, names, subsets] of [
    ['1%', ['customer', 'orders', 'line'], { customer: { where: 'v = 1' } }],
    ['90%', ['customer', 'orders', 'line'], { customer: { where: 'v < 90' } }],
    ['leaf limit 1000', ['customer', 'orders', 'line'], { line: { limit: 1000 }, customer: { limit: 0 } }],
    ['chain of 20000 up', ['person'], { person: { where: 'id = 20000' } }],
  ] as const) {
    await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const tables = names.map((name) => ({ name, columns: [], ...((subsets as any)[name] ? { subset: (subsets as any)[name] } : {}) }));
    const command = { ...harness.command('', '', {}), tables };
    const plans = [];
    for (const [index, name] of names.entries()) { const source = (await describeTable(session.client, { schema: 'public', table: name }))!; plans.push({ index, name: source.name, source, target: undefined, columns: [], columnIndex: new Map() }); }
    const t = performance.now(); const rss = process.memoryUsage().rss;
    const out = await planSubset({ command, plans, source: session.client, policy: harness.environment().policy, contexts: new FailureContexts(command), signal: new AbortController().signal });
    const took = performance.now() - t;
    const t2 = performance.now();
    const lens = out.map((p) => p.rowFilter?.conditionFor({ relationOid: p.source.oid, fromPage: undefined, toPage: undefined })?.length);
    process.stderr.write(`MEASURE ${label}: ${Math.round(took)} ms, kept ${out.map((p) => p.rowFilter?.count)}, sql ${lens} in ${Math.round(performance.now()-t2)} ms, rss +${Math.round((process.memoryUsage().rss - rss) / 1e6)} MB\n`);
    await session.client.query('ROLLBACK');
  }
  await disconnect(session.client); await harness.stop();
}, 300000);
