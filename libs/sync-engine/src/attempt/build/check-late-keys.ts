import { quoteTable } from '@understudy/postgres';
import { type BrokenKey, countOrphans, refuseOrphans } from '../../plan/orphans/find-orphans.js';
import { type OrphanKey, readOrphanKeys } from '../../plan/orphans/orphan-keys.js';
import { orphansIn } from '../../plan/subset/relation-sql.js';
import { runTasks } from '../../session/job-sessions.js';
import type { StagedKey } from '../../stage/foreign-keys/staged-key.js';
import { isTableItself } from '../../stage/ledger/staging-ledger.js';
import type { JobDatabases, PreparedJob, RunningJob } from '../running-job.js';

/**
 * Refuses a job whose staged rows break a key that only the switch creates, before the switch locks a table. Leaves out
 * keys that the source was asked about, keys of tables that are staged as text, and keys of single partitions. The switch
 * checks all keys.
 * @param early the keys that the hidden tables have
 * @throws SyncJobError orphans_found
 */
export async function checkLateKeys(
  { contexts, environment }: RunningJob,
  { plans, staged }: PreparedJob,
  databases: JobDatabases,
  early: readonly StagedKey[],
  signal: AbortSignal,
): Promise<void> {
  const { source, target } = databases;
  const isEarly = new Set(early.map(({ tableIndex, name }) => JSON.stringify([tableIndex, name])));
  const keys = await readOrphanKeys(plans, { source: source.client, target: target.client });
  const rowsOf = (index: number) => {
    const plan = plans.find((one) => one.index === index);
    const table = staged.tables.find(({ tableIndex }) => tableIndex === index);
    if (plan === undefined || table === undefined || table.kind === 'text') return undefined;
    const isPartitioned = isTableItself(table.kind) && plan.source.isPartitioned;
    return { plan, from: `${isPartitioned ? '' : 'ONLY '}${quoteTable(table.into)}` };
  };
  const broken: BrokenKey[] = [];
  const tasks = keys.flatMap((key) => {
    const { child, parent, childLeaves, parentLeaves } = key.onTarget;
    const [rows, referenced] = [rowsOf(child), rowsOf(parent)];
    if (rows === undefined || referenced === undefined) return [];
    const isWhole = childLeaves === undefined && parentLeaves === undefined;
    if (!key.isGuarded || !isWhole || isEarly.has(JSON.stringify([child, key.name]))) return [];
    return [{ key, plan: rows.plan, query: orphansIn(key.onTarget, rows.from, referenced.from) }];
  });
  await runTasks<Omit<BrokenKey, 'rows'> & { readonly key: OrphanKey; readonly query: string }>({
    tasks,
    connections: databases.room.connections,
    open: async () => contexts.locate(await databases.open.target()),
    run: async (client, { key, plan, query }) => {
      await client.query('BEGIN READ ONLY');
      const rows = await countOrphans(client.at(plan.index), query);
      await client.query('ROLLBACK');
      if (rows > 0) broken.push({ plan, key, rows });
    },
    signal,
  });
  refuseOrphans(broken, environment);
}
