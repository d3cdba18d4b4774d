import { TARGET_DATABASE, type TestSystem } from '../system/test-system.js';
import type { Fault } from './fault.js';
import { killAgent } from './signals.js';

const KILLED_AT_SHARE = 0.8;
const MAX_AGAIN_SHARE = 0.1;

/**
 * Kills the agent when it has sent 80 % of what an undisturbed job sends to the target, which is almost only rows. The
 * server counts the rows that it has received, so the cost is measured without the engine.
 */
export const dieAt80Percent: Fault = {
  name: 'the agent is killed at 80 % of copying',
  async strike(system, jobId, _moment, sentBytes) {
    await system.link.sent(KILLED_AT_SHARE * sentBytes);
    await killAgent.strike(system, jobId, 0, 0);
  },
  endings: ['completed'],
  async moreProblems(system) {
    const again = await shareAgain(system);
    return again < MAX_AGAIN_SHARE ? [] : [`${percent(again)} of the rows were copied again`];
  },
  measure: async (system) => `${percent(await shareAgain(system))} of the rows were copied again`,
};

/** Returns the number of rows that were copied again, as a share of all rows. */
async function shareAgain({ target }: TestSystem): Promise<number> {
  const [row] = await target.query<{ received: number; rows: number }>(
    TARGET_DATABASE,
    `SELECT pg_catalog.sum(n_tup_ins)::float8 AS received, ((SELECT count(*) FROM customers) + (SELECT count(*) FROM orders)
        + (SELECT count(*) FROM visits) + (SELECT count(*) FROM labels) + (SELECT count(*) FROM pages))::float8 AS rows
       FROM pg_catalog.pg_stat_user_tables WHERE schemaname = 'public'`,
  );
  if (row === undefined || row.received < row.rows)
    throw new Error('expected that the server counts all rows');
  return (row.received - row.rows) / row.rows;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
