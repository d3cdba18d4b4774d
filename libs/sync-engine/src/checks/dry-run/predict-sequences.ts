import {
  type Client,
  type EngineLog,
  findSequences,
  findSequencesBehind,
  keyOfSequence,
  leavesRoom,
  type NeededSequence,
  readFeedingSequences,
  readTableSequences,
  readWriterSequences,
} from '@understudy/postgres';
import type { SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import { guard } from '../../session/guard.js';
import {
  findDiffering,
  type FedColumn,
  type JobSequences,
  ofPlans,
  readJobSequences,
  sequencesOfMaskedColumns,
  sharesColumn,
  warnAboutSequences,
} from '../../stage/switch/advance-sequences.js';
import type { Sides } from './possible-violation.js';

/**
 * Finds the sequences that may return values in use after a run. The target does not have the missing tables yet, so
 * their definitions are read from the source.
 * @returns the warnings of the switch
 */
export async function predictSequences(
  plans: readonly TablePlan[],
  sides: Sides,
  log: EngineLog,
): Promise<readonly SyncWarning[]> {
  const { source, target, contexts } = sides;
  const sequences = await readJobSequences(plans, source, target, contexts);
  const missing = plans.filter((plan) => plan.target === undefined);
  const present = plans.filter((plan) => plan.target !== undefined);
  const fed = [...(await feeding('source', missing, sides)), ...(await feeding('target', present, sides))];
  const shared = fed.filter((one) => sharesColumn(one, fed, sequences.writers.get(one.plan.index)));
  const numbers = new Set(fed.filter((one) => one.is_number).map(keyOfSequence));
  const full = await findFull(fed, sequences.positions, sides);
  const others = [...fed.filter((one) => !one.is_number), ...shared, ...full].map(keyOfSequence);
  const hidden = new Set([...sequences.inFunctions, ...others]);
  const isHidden = (key: string) => hidden.has(key) || !numbers.has(key);
  const existing = await guard(contexts.on('target'), () => findSequences(target, sequences.names));
  const there = new Set(existing.map(keyOfSequence));
  const created = (await guard(contexts.on('source'), () => ofMissing(source, missing))).filter(
    (sequence) => !sequence.isCalled && !there.has(keyOfSequence(sequence)),
  );
  const behind = await guard(contexts.on('target'), () =>
    findSequencesBehind(target, existing, sequences.positions),
  );
  const uncertain = sequencesOfMaskedColumns(plans, fed, sequences.writers);
  const unplaced = created.filter((sequence) => !sequences.positions.has(keyOfSequence(sequence)));
  const unknown = [
    ...[...behind, ...unplaced].filter((sequence) => isHidden(keyOfSequence(sequence))),
    ...[...existing, ...created].filter((sequence) => uncertain.has(keyOfSequence(sequence))),
  ];
  const differing = await guard(contexts.on('target'), () => findDiffering(target, existing, sequences));
  const warnings = await warnAboutSequences(plans, sequences, { existing, unknown, differing, log }, (plan) =>
    usedBy(plan, sides),
  );
  return [...sequences.warnings, ...warnings];
}

async function feeding(
  side: 'source' | 'target',
  plans: readonly TablePlan[],
  { contexts, ...sides }: Sides,
): Promise<readonly FedColumn[]> {
  const tables = plans.map(({ name }) => name);
  const fed = await guard(contexts.on(side), () => readFeedingSequences(sides[side], tables));
  return ofPlans(plans, fed);
}

/** Finds the sequences without a known position to which the source's rows leave no value. */
async function findFull(
  fed: readonly FedColumn[],
  positions: JobSequences['positions'],
  { source, contexts }: Sides,
): Promise<readonly FedColumn[]> {
  const full: FedColumn[] = [];
  for (const one of fed) {
    const { index, columns, source: table } = one.plan;
    const isPreserved = columns.some(
      ({ description, fill }) => description.name === one.column && fill.kind === 'preserve',
    );
    if (!one.is_number || !isPreserved || positions.has(keyOfSequence(one))) continue;
    const hasRoom = await guard(contexts.on('source', index), () => leavesRoom(source, table.name, one));
    if (!hasRoom) full.push(one);
  }
  return full;
}

function ofMissing(source: Client, plans: readonly TablePlan[]): Promise<readonly NeededSequence[]> {
  const omitted = plans.flatMap((plan) => plan.omitted ?? []).map(({ object }) => object.address);
  return readTableSequences(
    source,
    plans.map((plan) => plan.source.oid),
    omitted,
  );
}

function usedBy(plan: TablePlan, { source, target, contexts }: Sides) {
  const { index, target: existing } = plan;
  return existing === undefined
    ? guard(contexts.on('source', index), async () => [
        ...(await ofMissing(source, [plan])),
        ...(await readWriterSequences(source, [plan.source.oid])),
      ])
    : guard(contexts.on('target', index), async () => [
        ...(await readTableSequences(target, [existing.oid])),
        ...(await readWriterSequences(target, [existing.oid])),
      ]);
}
