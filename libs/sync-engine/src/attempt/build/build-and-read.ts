import type { LocatedClient } from '../../session/located-client.js';
import { withoutWorkers } from '../attempt-sessions.js';
import { runTasks } from '../../session/job-sessions.js';
import type { CopiedJob, JobDatabases, PreparedJob, RunningJob } from '../running-job.js';
import { buildIndexes } from '../../stage/create/build-indexes.js';
import { type Build, readBuilds } from '../../stage/ledger/staging-ledger.js';
import type { TableRead } from '../../verify/row-comparison.js';

/**
 * Builds the indexes and keys of the staged tables. At the same time, the function reads the staged rows to
 * compare them with the source's rows. Call it when all rows are copied.
 * @throws the first failure, or the signal's reason, after all tasks have stopped
 */
export async function buildAndRead(
  job: RunningJob,
  prepared: PreparedJob,
  databases: JobDatabases,
  { comparison, joins }: Pick<CopiedJob, 'comparison' | 'joins'>,
  signal: AbortSignal,
): Promise<void> {
  const { command, contexts, meter } = job;
  const builds = await readBuilds(databases.target.client, command.jobId);
  meter.enter('verifying');
  meter.build?.enter('indexes');
  const { connections } = databases.room;
  const tasks = tasksOf({ ...job, ...prepared }, { comparison, joins }, builds);
  const hasRoomForWorkers = connections >= 2 * tasks.length;
  await runTasks({
    tasks,
    connections,
    open: async () => {
      const opening = databases.open.target();
      return contexts.locate(await (hasRoomForWorkers ? opening : withoutWorkers(opening)));
    },
    run: (client, task) => task(client),
    signal,
  });
}

type Task = (client: LocatedClient) => Promise<void>;
type BuildingJob = RunningJob & Pick<PreparedJob, 'plans' | 'paths'>;

/**
 * Orders the tasks. Joins come first, because builds of two tables wait for each. Then, the largest tables come first.
 * Builds that belong to no table of the job come last.
 */
function tasksOf(
  job: BuildingJob,
  { comparison, joins }: Pick<CopiedJob, 'comparison' | 'joins'>,
  builds: readonly Build[],
): readonly Task[] {
  const byTable = new Map<number | undefined, Build[]>();
  for (const build of builds) {
    byTable.set(build.tableIndex, [...(byTable.get(build.tableIndex) ?? []), build]);
  }
  const joined = new Map<number, Promise<void>[]>();
  const whenVerified = new Map<number, () => void>();
  const joinTasks = joins.reads('target').map(({ child, tables, read }): Task => (client) => {
    const whenRead = read(client).then((digest) => {
      comparison.take('target', child, digest);
      whenVerified.get(child)?.();
    });
    for (const index of tables) joined.set(index, [...(joined.get(index) ?? []), whenRead]);
    return whenRead;
  });
  const ofTables = comparison.reads('target').flatMap((tableRead) => {
    const { tableIndex } = tableRead;
    const { tasks, verified } = tableTasks(
      job,
      tableRead,
      byTable.get(tableIndex) ?? [],
      () => joined.get(tableIndex) ?? [],
    );
    whenVerified.set(tableIndex, verified);
    return tasks;
  });
  const others = byTable.get(undefined) ?? [];
  return [
    ...joinTasks,
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
 * readers, it waits until the read and the joins of the table have ended. The last build waits for the others, because
 * it analyzes a table with all its partitions. The tasks are started in this order, after the joins, so what a task
 * waits for has always begun.
 * @returns `verified`: to be called when the rows of a table without a read of its own have been read
 */
function tableTasks(
  job: BuildingJob,
  { tableIndex, read }: TableRead,
  builds: readonly Build[],
  whenJoined: () => readonly Promise<void>[],
): { readonly tasks: readonly Task[]; readonly verified: () => void } {
  const { meter } = job;
  let left = 1 + builds.length;
  const partDone = () => {
    left -= 1;
    if (left === 0) meter.completed(tableIndex);
  };
  let isVerified = false;
  const verified = () => {
    // A table can be the child of several joins.
    if (isVerified) return;
    isVerified = true;
    meter.verified(tableIndex);
    partDone();
  };
  let whenRead: Promise<void> | undefined;
  const others: Promise<void>[] = [];
  const reading = (client: LocatedClient): Promise<void> => {
    whenRead = read?.(client).then(verified);
    return whenRead ?? Promise.resolve();
  };
  const building = builds.map((build, i): Task => async (client) => {
    if (i === builds.length - 1) await Promise.all(others);
    const built = buildOne(job, client, build, () => Promise.all([whenRead, ...whenJoined()]));
    others.push(built);
    await built;
    partDone();
  });
  return { tasks: read === undefined ? building : [reading, ...building], verified };
}

async function buildOne(
  { command, meter, plans, paths }: BuildingJob,
  client: LocatedClient,
  build: Build,
  whenRead: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const plan = build.tableIndex === undefined ? undefined : plans[build.tableIndex];
  const setPath = paths.sqlFor(plan?.target?.oid);
  await buildIndexes(client.at(build.tableIndex), build, { attempt: command, setPath, whenRead });
  meter.build?.completed('indexes', build.tableIndex);
}
