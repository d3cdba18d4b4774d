import type { CellMask } from '@understudy/masking';
import { guard } from '../../postgres/guard.js';
import { openSession, type Session } from '../../postgres/session.js';
import { ModelRegistry } from '../../training/model-registry.js';
import { openSource } from '../attempt-sessions.js';
import { compileMasks } from '../compile-masks.js';
import { FailureContexts } from '../failure-contexts.js';
import { jobGenerators } from '../job-generators.js';
import { JobSessions } from '../job-sessions.js';
import { listTables } from '../list-tables.js';
import type { OnLeaseRenewed } from '../on-lease-renewed.js';
import { checkServers, planTables } from '../preflight.js';
import { planRules } from '../prepare-rules.js';
import { type Snapshot, takeSnapshot } from '../snapshot-holder.js';
import { sessionName } from '../staging/staging-names.js';
import { copiedRows } from '../subset/copied-rows.js';
import { planSubset } from '../subset/plan-subset.js';
import type { SyncEnvironment } from '../sync-environment.js';
import type { SyncJobCommand } from '../sync-job-command.js';
import type { TablePlan } from '../table-plan.js';
import { rowsOf } from '../verification/digest-rows.js';
import { RowComparison } from '../verification/row-comparison.js';
import type { VerificationCheck } from '../verification/verification.js';
import { verifyReferences } from '../verification/verify-references.js';
import { verifySequences } from '../verification/verify-sequences.js';
import { compareMasked } from './compare-masked.js';
import type { TargetCheck } from './target-check.js';

export interface TargetVerificationRequest {
  readonly command: SyncJobCommand;
  readonly environment: SyncEnvironment;
  /** Rows of each table when the job completed, by table index, as far as somebody remembers. */
  readonly copied: ReadonlyMap<number, number>;
  readonly signal: AbortSignal;
  readonly onLeaseRenewed: OnLeaseRenewed;
}

/**
 * Compares the finished target of a job with its source as both are now: rows, preserved, nulled and masked columns, references and
 * sequences. Reads both and writes nothing. The source may have moved on since the copy; a check that this makes pointless says so
 * instead of failing.
 * @throws SyncJobError what kept the checks from being made, or the signal's reason
 */
export async function verifyTarget(request: TargetVerificationRequest): Promise<readonly TargetCheck[]> {
  const { command, environment, signal, onLeaseRenewed } = request;
  const contexts = new FailureContexts(command);
  const sessions = new JobSessions(signal);
  const connect = (side: 'source' | 'target') =>
    sessions.open(() =>
      openSession(environment.policy.resolveDatabase(command[side], side), side, sessionName(command)),
    );
  try {
    const source = await connect('source');
    const target = await connect('target');
    await checkServers(source, target, contexts);
    const snapshot = await takeSnapshot({
      source,
      tables: listTables(command),
      sessionName: sessionName(command),
      earlierId: undefined,
      signal,
      onBlocked: () => undefined, // a lock that is not let go of ends in a failure that says so
    });
    const endRenewals = onLeaseRenewed(() => {
      snapshot.held.renew();
    });
    try {
      return await lookAt({ source, target, snapshot, sessions }, { ...request, contexts });
    } finally {
      endRenewals();
      await snapshot.held.release();
    }
  } finally {
    await sessions.close();
  }
}

interface Databases {
  readonly source: Session;
  readonly target: Session;
  readonly snapshot: Snapshot;
  readonly sessions: JobSessions;
}

type Look = TargetVerificationRequest & { readonly contexts: FailureContexts };

async function lookAt(databases: Databases, look: Look): Promise<readonly TargetCheck[]> {
  const { command, environment, contexts, signal } = look;
  const { policy } = environment;
  const { source, target } = databases;
  const whole = await planTables({ command, source: source.client, target, contexts, policy });
  const chosen = await planSubset({ command, plans: whole, source: source.client, policy, contexts, signal });
  const { plans } = await planRules(chosen, { source: source.client, target: target.client, contexts });
  const there = plans.filter((plan) => plan.target !== undefined);
  const masks = await compile(plans, look);
  const rows = await compareRows(there, masks, databases, look);
  const at = contexts.on.bind(contexts);
  const references = await verifyReferences({
    plans: there,
    source: source.client,
    target: target.client,
    contextOf: at,
    log: environment.log,
    trustsServer: false,
  });
  const sequences = await verifySequences(there, target.client, (index) => at('target', index));
  const masked = await compareColumns(there, masks, databases, look);
  const missing = plans
    .filter((plan) => plan.target === undefined)
    .map(({ index }) => ({ kind: 'table', tableIndex: index, outcome: 'fails' }) as const);
  const checks = [...missing, ...rows, ...masked, ...[...references, ...sequences].map(asTargetCheck)];
  return checks.toSorted((a, b) => a.tableIndex - b.tableIndex);
}

/** By table index. Nothing is made of them: they tell which rules promise another value. */
async function compile(
  plans: readonly TablePlan[],
  { command, environment, signal }: Look,
): Promise<readonly ReadonlyMap<string, CellMask>[]> {
  const { builtin, hostedModels, keys, models } = environment;
  const { jobId, seed, referenceInstantMs, compositions } = command;
  const files = await hostedModels.files(jobId, command.hostedModels, signal);
  const options = {
    job: { maskingKey: keys.maskingKey, seed, referenceInstantMs },
    models: new ModelRegistry(models, builtin, files).find,
    assets: builtin.assets,
    registry: jobGenerators(builtin.registry, compositions),
  };
  const masks: ReadonlyMap<string, CellMask>[] = [];
  for (const plan of plans) masks[plan.index] = compileMasks(plan, options);
  return masks;
}

async function compareRows(
  plans: readonly TablePlan[],
  masks: readonly ReadonlyMap<string, CellMask>[],
  { source, target, snapshot }: Databases,
  { command, environment, contexts, copied, signal }: Look,
): Promise<readonly TargetCheck[]> {
  const request = {
    plans,
    masks,
    copied,
    stagedAs: ({ name }: TablePlan) => name,
    isInParts: (plan: TablePlan) => plan.target?.isPartitioned === true,
    sourceRows: copiedRows,
    connections: environment.copy.connections,
    contextOf: contexts.on.bind(contexts),
    onVerified: () => undefined,
  };
  const rows = await RowComparison.plan(request, source.client, target.client);
  await rows.readSource(() => openSource({ command }, { source, snapshot }), signal);
  const checks = await rows.compareTarget(
    () => openSession(target.target, 'target', sessionName(command)),
    signal,
  );
  const moved = new Set(
    checks.flatMap((check) =>
      check.kind === 'row_count' && hasMovedOn(check, copied) ? [check.tableIndex] : [],
    ),
  );
  return checks.flatMap((check): readonly TargetCheck[] => {
    const { tableIndex } = check;
    if (check.kind === 'row_count') {
      const { source: now, target: there } = check.rows;
      const before = copied.get(tableIndex);
      const outcome = there === (before ?? now) ? 'holds' : 'fails';
      return [
        { kind: 'row_count', tableIndex, outcome, rows: { source: now, target: there, copied: before } },
      ];
    }
    // That is about cells as they passed; here they are compared row by row.
    if (check.kind === 'masked_columns') return [];
    const isPointless = check.kind === 'preserved_columns' && !check.ok && moved.has(tableIndex);
    return [isPointless ? { ...asTargetCheck(check), outcome: 'not_comparable' } : asTargetCheck(check)];
  });
}

function hasMovedOn(
  { tableIndex, rows }: Extract<VerificationCheck, { kind: 'row_count' }>,
  copied: ReadonlyMap<number, number>,
): boolean {
  const before = copied.get(tableIndex);
  return before !== undefined && before !== rows.source;
}

function asTargetCheck(check: VerificationCheck): TargetCheck {
  if (check.kind === 'row_count' || check.kind === 'masked_columns') throw new Error('told in another way');
  const { kind, tableIndex, ok, lookedAt } = check;
  return { kind, tableIndex, outcome: ok ? 'holds' : 'fails', lookedAt };
}

async function compareColumns(
  plans: readonly TablePlan[],
  masks: readonly ReadonlyMap<string, CellMask>[],
  databases: Databases,
  { command, contexts }: Look,
): Promise<readonly TargetCheck[]> {
  const source = await databases.sessions.open(() => openSource({ command }, databases));
  const target = await databases.sessions.open(() =>
    openSession(databases.target.target, 'target', sessionName(command)),
  );
  await guard(contexts.on('target'), () => target.client.query('BEGIN READ ONLY'));
  const checks: TargetCheck[] = [];
  for (const plan of plans) {
    const { index: tableIndex, name } = plan;
    const rules = masks[tableIndex] ?? new Map<string, CellMask>();
    const columns = [...rules].flatMap(([column, mask]) =>
      'differs' in mask ? [{ column, differs: mask.differs }] : [],
    );
    const key = preservedKey(plan);
    const told = columns.map(({ column, differs }) => ({
      ...({ kind: 'masked_column', tableIndex, column, differs } as const),
    }));
    if (columns.length === 0) continue;
    if (key === undefined) {
      checks.push(
        ...told.map((check) => ({ ...check, outcome: 'not_comparable' as const, pairs: 0, equal: 0 })),
      );
      continue;
    }
    const counts = await compareMasked(
      key,
      columns.map(({ column }) => column),
      { client: source.client, from: copiedRows(plan), context: contexts.on('source', tableIndex) },
      {
        client: target.client,
        from: rowsOf(name, plan.target?.isPartitioned === true),
        context: contexts.on('target', tableIndex),
      },
    );
    for (const [i, check] of told.entries()) {
      const { pairs = 0, equal = 0 } = counts[i] ?? {};
      checks.push({ ...check, pairs, equal, outcome: check.differs && equal > 0 ? 'fails' : 'holds' });
    }
  }
  return checks;
}

/** What tells which rows of both sides belong together; undefined where a primary key is missing or masked. */
function preservedKey({ columns }: TablePlan): readonly string[] | undefined {
  const key = columns.filter(({ description }) => description.keyPosition !== undefined);
  if (key.length === 0 || key.some(({ fill }) => fill.kind !== 'preserve')) return undefined;
  return key.map(({ description }) => description.name);
}
