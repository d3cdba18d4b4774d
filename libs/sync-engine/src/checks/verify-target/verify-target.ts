import { findRoom, openFirstSession } from '../../session/session-room.js';
import { ModelRegistry } from '../../models/model-registry.js';
import { compileAll } from '../../plan/compile-masks.js';
import { emptyTablesOf, withDecisions } from '../../plan/exclude/decisions.js';
import { findExcluded } from '../../plan/exclude/excluded-objects.js';
import { compilerOptions } from '../../plan/compiler-options.js';
import { planJob } from '../../plan/plan-job.js';
import { FailureContexts } from '../../session/failure-contexts.js';
import { JobSessions } from '../../session/job-sessions.js';
import { listTables } from '../../plan/list-tables.js';
import { checkServers } from '../../plan/preflight/preflight.js';
import { targetRole } from '../../policy.js';
import { takeSnapshot } from '../../source/take-snapshot.js';
import { keeperSessionName, sessionName } from '../../session/job-attempt.js';
import { verifyReferences } from '../../verify/verify-references.js';
import { verifySequences } from '../../verify/verify-sequences.js';
import { readWriters } from '../../verify/writer-code.js';
import { compareColumns } from './compare-columns.js';
import { compareJoins } from './compare-joins.js';
import { compareRows } from './compare-rows.js';
import { recomputeColumns, type RowsByTable } from './recompute/recompute-columns.js';
import type { TargetCheck } from './target-check.js';
import {
  asTargetCheck,
  type ComparedDatabases,
  type TargetVerificationContext,
  type TargetVerificationRequest,
} from './target-verification.js';

/**
 * Compares the finished target of a job with the present source: rows, preserved, nulled and masked columns,
 * references and sequences. It masks the source's columns again and compares the result with the target. If a
 * table cannot be masked again, or its result differs from the target, the function compares the target's
 * values with the originals row by row. It writes only temporary tables, and never commits them. If a source
 * table no longer has as many rows as were copied, a failed check of its preserved or recomputed columns
 * has the outcome `not_comparable`.
 * @throws SyncJobError a failure that prevents the checks, or the signal's reason
 */
export async function verifyTarget(given: TargetVerificationRequest): Promise<readonly TargetCheck[]> {
  const request = { ...given, command: withDecisions(given.command) };
  const { command, environment, signal, keepSnapshot } = request;
  const contexts = new FailureContexts(command);
  const sessions = new JobSessions(signal);
  const { sessionWaitMs } = environment.copy;
  const connect = (side: 'source' | 'target') =>
    sessions.open(async () => {
      const role = side === 'target' ? targetRole(command) : side;
      const database = environment.policy.resolveDatabase(command[side], role);
      const options = { name: sessionName(command), sessionWaitMs };
      return contexts.locate(await openFirstSession(database, side, options));
    });
  try {
    const source = await connect('source');
    const target = await connect('target');
    const { connections } = await findRoom(
      { source, target },
      { connections: environment.copy.connections, sessionWaitMs },
    );
    await checkServers(source, target);
    const snapshot = await takeSnapshot({
      source,
      tables: listTables(command),
      sessionName: keeperSessionName(command),
      earlierId: undefined,
      signal,
      onBlocked: () => undefined, // a lock that is not released in time is reported as a failure
    });
    const endRegistration = keepSnapshot(() => {
      snapshot.held.renew();
    });
    try {
      // The keeper needs another session until it holds the snapshot, and the comparison others.
      await snapshot.held.confirm();
      const copy = { ...environment.copy, connections };
      const limited = { ...request, contexts, environment: { ...environment, copy } };
      return await verifyTables({ source, target, snapshot, sessions }, limited);
    } finally {
      endRegistration();
      await snapshot.held.release();
    }
  } finally {
    await sessions.close();
  }
}

async function verifyTables(
  databases: ComparedDatabases,
  request: TargetVerificationContext,
): Promise<readonly TargetCheck[]> {
  const { command, environment, contexts, signal } = request;
  const { policy, builtin, hostedModels, models } = environment;
  const { source, target } = databases;
  // The tables of a database that was replaced are compared like others.
  const planned = { ...command, replace: 'tables' as const };
  const rules = await planJob({
    ...{ command: planned, source: source.client, target, contexts, policy, signal },
    excluded: await findExcluded(source.client, command),
    emptyTables: emptyTablesOf(command),
  });
  const { plans } = rules;
  const there = plans.filter((plan) => plan.target !== undefined);
  const files = await hostedModels.files(command.jobId, command.hostedModels, signal);
  const registry = new ModelRegistry(models, builtin, files, environment.log);
  const masks = compileAll(plans, compilerOptions(command, environment, registry.find));
  const rows = await compareRows(there, masks, databases, request);
  const joins = await compareJoins(there, rowsNow(rows), databases, request);
  const references = await verifyReferences({
    plans: there,
    source: source.client,
    target: target.client,
    log: environment.log,
    trustsServer: false,
    isWhole: command.replace === 'database',
  });
  const writers = await readWriters({ plans: there, source: source.client, target: target.client });
  const sequences = await verifySequences(there, target.client, { writers });
  const recomputed = await recomputeColumns(rules, masks, rowsNow(rows), databases, request);
  const outcomes = new Map(recomputed.map(({ tableIndex, outcome }) => [tableIndex, outcome]));
  const others = there.filter(({ index }) => outcomes.get(index) !== 'holds');
  const compared = await compareColumns(others, masks, databases, request);
  // If the differing columns are already known, `not_comparable` results of the same table add nothing.
  const masked = compared.filter(
    ({ outcome, tableIndex }) => outcome !== 'not_comparable' || outcomes.get(tableIndex) !== 'fails',
  );
  const missing = plans
    .filter((plan) => plan.target === undefined)
    .map(({ index }) => ({ kind: 'table', tableIndex: index, outcome: 'fails' }) as const);
  const checks = [
    ...missing,
    ...rows,
    ...recomputed,
    ...masked,
    ...joins,
    ...[...references, ...sequences].map(asTargetCheck),
  ];
  return checks.toSorted((a, b) => a.tableIndex - b.tableIndex);
}

function rowsNow(checks: readonly TargetCheck[]): RowsByTable {
  return new Map(
    checks.flatMap((check) => (check.kind === 'row_count' ? [[check.tableIndex, check.rows] as const] : [])),
  );
}
