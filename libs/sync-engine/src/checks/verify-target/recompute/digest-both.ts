import type { JobMasks } from '../../../plan/compile-masks.js';
import { EvaluationPaths } from '@understudy/postgres';
import { openJobSession } from '../../../session/open-session.js';
import { type JobKeyMaterial, needsRowOrder } from '@understudy/masking';

import { openSource } from '../../../attempt/attempt-sessions.js';
import { copyChunks } from '../../../copy/copy-chunks.js';
import { planChunks } from '../../../copy/plan-chunks.js';
import { loggedWatchdog } from '../../../copy/watchdog.js';
import { runTasks } from '../../../session/job-sessions.js';
import { sessionName } from '../../../session/job-attempt.js';
import type { TablePlan } from '../../../plan/table-plan.js';
import { rowsOf } from '../../../verify/digest-rows.js';
import type { ComparedDatabases, TargetVerificationContext } from '../target-verification.js';
import { digestTable, type TableDigest } from './digest-table.js';
import { DigestingWriter } from './digesting-writer.js';

export interface DigestOrder {
  /** All plans of the job, by table index. */
  readonly plans: readonly TablePlan[];
  /** The finalized masks by table index. */
  readonly masks: JobMasks;
  readonly material: JobKeyMaterial;
  /** The digest expressions by table index. Tables without expressions are not read. */
  readonly expressions: ReadonlyMap<number, readonly string[]>;
  readonly onProgress: (tableIndex: number, rows: number, bytes: number) => void;
}

/**
 * The digests by table index. `made` has the digests of the source's rows after masking, and `there` those of
 * the target's rows.
 */
export interface BothDigests {
  readonly made: ReadonlyMap<number, TableDigest>;
  readonly there: ReadonlyMap<number, TableDigest>;
}

/**
 * Masks the source's tables again, chunk by chunk, and reads the target's tables. The cost is that of a copy
 * without index builds, plus one read of the target's tables.
 */
export async function digestBoth(
  { expressions, ...order }: DigestOrder,
  { source, target, snapshot }: ComparedDatabases,
  { command, environment, contexts, signal }: TargetVerificationContext,
): Promise<BothDigests> {
  const { plans, masks } = order;
  const openTarget = () => openJobSession(target.target, 'target', sessionName(command));
  const wanted = plans.filter(({ index }) => expressions.has(index));
  const needsOrder = ({ index }: Pick<TablePlan, 'index'>) => needsRowOrder(masks.get(index)?.values() ?? []);
  const existing = wanted.flatMap((plan) => plan.target?.oid ?? []);
  const paths = await EvaluationPaths.read(
    target.client,
    existing,
    environment.policy.rules.allowSharedSchemas,
  );
  const writer = new DigestingWriter(plans, expressions, paths);
  await copyChunks({
    chunks: await planChunks(source.client, wanted, {
      chunkBytes: environment.copy.chunkBytes,
      needsOrder,
    }),
    isDone: () => false,
    connections: environment.copy.connections,
    openSource: () => openSource({ command }, { source, snapshot }),
    openTarget,
    writer,
    ...{ ...order, contexts, signal },
    watchdog: loggedWatchdog(environment.log, command),
  });
  const there = new Map<number, TableDigest>();
  await runTasks({
    tasks: wanted,
    connections: environment.copy.connections,
    open: async () => contexts.locate(await openTarget()),
    run: async (client, { index, name, target: description }) => {
      const from = rowsOf(name, description?.isPartitioned === true);
      there.set(index, await digestTable(client, from, expressions.get(index) ?? []));
    },
    signal,
  });
  return { made: writer.digests, there };
}
