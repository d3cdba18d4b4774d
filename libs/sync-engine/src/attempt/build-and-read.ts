import { guard } from '../session/guard.js';
import type { Client } from '@understudy/postgres';
import { openTarget } from './attempt-sessions.js';
import { runTasks } from '../session/job-sessions.js';
import type { JobDatabases, PreparedJob, RunningJob } from './running-job.js';
import { buildIndexes } from '../stage/create/build-indexes.js';
import { type Build, readBuilds } from '../stage/ledger/staging-ledger.js';
import type { TableRead, RowComparison } from '../verify/row-comparison.js';

/**
 * Builds the indexes and keys of the staged tables. At the same time, the function reads the staged rows to
 * compare them with the source's rows. Call it when all rows are copied.
 * @throws the first failure, or the signal's reason, after all tasks have stopped
 */
export async function buildAndRead(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
  comparison: RowComparison,
  signal: AbortSignal,
): Promise<void> {
  const { command, contexts, environment, meter } = job;
  const builds = await guard(contexts.on('target'), () => readBuilds(databases.target.client, command.jobId));
  meter.enter('verifying');
  await runTasks({
    tasks: tasksOf({ ...job, ...prepared }, comparison.targetReads(), builds),
    connections: environment.copy.connections,
    open: () => openTarget(job, databases),
    run: (client, task) => task(client),
    signal,
  });
}

type Task = (client: Client) => Promise<void>;
type BuildingJob = RunningJob & Pick<PreparedJob, 'plans' | 'paths'>;

/** Orders the tasks. The largest tables come first. Builds that belong to no table of the job come last. */
function tasksOf(job: BuildingJob, reads: readonly TableRead[], builds: readonly Build[]): readonly Task[] {
  const byTable = new Map<number | undefined, Build[]>();
  for (const build of builds) {
    byTable.set(build.tableIndex, [...(byTable.get(build.tableIndex) ?? []), build]);
  }
  const ofTables = reads.flatMap((tableRead) =>
    tableTasks(job, tableRead, byTable.get(tableRead.tableIndex) ?? []),
  );
  const others = byTable.get(undefined) ?? [];
  return [
    ...ofTables,
    ...others.map(
      (build): Task =>
        (client) =>
          buildOne(job, client, build),
    ),
  ];
}

/**
 * Returns the tasks of one table: the read, then the builds. Before a build takes a lock that excludes
 * readers, it waits until the read has ended. The tasks are started in this order, so the read has always
 * begun before a build waits for it.
 */
function tableTasks(
  job: BuildingJob,
  { tableIndex, read }: TableRead,
  builds: readonly Build[],
): readonly Task[] {
  const { meter } = job;
  let left = 1 + builds.length;
  const partDone = () => {
    left -= 1;
    if (left === 0) meter.completed(tableIndex);
  };
  let whenRead: Promise<void> | undefined;
  return [
    async (client) => {
      whenRead = read(client);
      await whenRead;
      meter.verified(tableIndex);
      partDone();
    },
    ...builds.map((build): Task => async (client) => {
      await buildOne(job, client, build, whenRead);
      partDone();
    }),
  ];
}

function buildOne(
  { command, contexts, plans, paths }: BuildingJob,
  client: Client,
  build: Build,
  whenRead = Promise.resolve(),
): Promise<void> {
  const context = contexts.on('target', build.tableIndex);
  const plan = plans.find(({ index }) => index === build.tableIndex);
  const setPath = paths.sqlFor(plan?.target?.oid);
  return buildIndexes(client, build, { attempt: command, context, setPath, whenRead });
}
