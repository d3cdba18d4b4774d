import { guard } from '../session/guard.js';
import type { Client } from '@understudy/postgres';
import { openTarget } from './attempt-sessions.js';
import { runTasks } from '../session/job-sessions.js';
import type { JobDatabases, RunningJob } from './running-job.js';
import { buildIndexes } from '../stage/create/build-indexes.js';
import { type Build, readBuilds } from '../stage/ledger/staging-ledger.js';
import type { Reading, RowComparison } from '../verify/row-comparison.js';

/**
 * Reads the staged tables back while their indexes and keys are built: both need all of their rows, and nothing else.
 * @throws the first failure, or the signal's reason; then all have stopped
 */
export async function buildAndRead(
  job: RunningJob,
  databases: JobDatabases,
  comparison: RowComparison,
  signal: AbortSignal,
): Promise<void> {
  const { command, contexts, environment, meter } = job;
  const builds = await guard(contexts.on('target'), () => readBuilds(databases.target.client, command.jobId));
  meter.enter('verifying');
  await runTasks({
    tasks: tasksOf(job, comparison.targetReadings(), builds),
    connections: environment.copy.connections,
    open: () => openTarget(job, databases),
    run: (client, task) => task(client),
    signal,
  });
}

type Task = (client: Client) => Promise<void>;

/** Largest tables first; what belongs to no table of the job is never read, and comes last. */
function tasksOf(job: RunningJob, readings: readonly Reading[], builds: readonly Build[]): readonly Task[] {
  const byTable = new Map<number | undefined, Build[]>();
  for (const build of builds) {
    byTable.set(build.tableIndex, [...(byTable.get(build.tableIndex) ?? []), build]);
  }
  const ofTables = readings.flatMap((reading) =>
    tableTasks(job, reading, byTable.get(reading.tableIndex) ?? []),
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
 * A build waits for the reading of its table before it asks for what would shut that out. It comes after that reading, so that what is waited
 * for is under way or done, with however few sessions.
 */
function tableTasks(
  job: RunningJob,
  { tableIndex, read }: Reading,
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
  { command, contexts }: RunningJob,
  client: Client,
  build: Build,
  whenRead = Promise.resolve(),
): Promise<void> {
  const context = contexts.on('target', build.tableIndex);
  return buildIndexes(client, build, { attempt: command, context, whenRead });
}
