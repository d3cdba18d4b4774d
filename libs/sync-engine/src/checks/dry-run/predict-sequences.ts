import {
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
import type { LocatedClient } from '../../session/located-client.js';
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
  const { source, target } = sides;
  const sequences = await readJobSequences(plans, source, target);
  const missing = plans.filter((plan) => plan.target === undefined);
  const present = plans.filter((plan) => plan.target !== undefined);
  const fed = [...(await feeding('source', missing, sides)), ...(await feeding('target', present, sides))];
  const shared = fed.filter((one) => sharesColumn(one, fed, sequences.writers.get(one.plan.index)));
  const numbers = new Set(fed.filter((one) => one.is_number).map(keyOfSequence));
  const full = await findFull(fed, sequences.positions, sides);
  const others = [...fed.filter((one) => !one.is_number), ...shared, ...full].map(keyOfSequence);
  const hidden = new Set([...sequences.inFunctions, ...others]);
  const isHidden = (key: string) => hidden.has(key) || !numbers.has(key);
  const existing = await findSequences(target, sequences.names);
  const there = new Set(existing.map(keyOfSequence));
  const created = (await ofMissing(source, missing)).filter(
    (sequence) => !sequence.isCalled && !there.has(keyOfSequence(sequence)),
  );
  const behind = await findSequencesBehind(target, existing, sequences.positions);
  const uncertain = sequencesOfMaskedColumns(plans, fed, sequences.writers);
  const unplaced = created.filter((sequence) => !sequences.positions.has(keyOfSequence(sequence)));
  const unknown = [
    ...[...behind, ...unplaced].filter((sequence) => isHidden(keyOfSequence(sequence))),
    ...[...existing, ...created].filter((sequence) => uncertain.has(keyOfSequence(sequence))),
  ];
  const differing = await findDiffering(target, existing, sequences);
  const warnings = await warnAboutSequences(plans, sequences, { existing, unknown, differing, log }, (plan) =>
    usedBy(plan, sides),
  );
  return [...sequences.warnings, ...warnings];
}

async function feeding(
  side: 'source' | 'target',
  plans: readonly TablePlan[],
  sides: Sides,
): Promise<readonly FedColumn[]> {
  const tables = plans.map(({ name }) => name);
  const fed = await readFeedingSequences(sides[side], tables);
  return ofPlans(plans, fed);
}

/** Finds the sequences without a known position to which the source's rows leave no value. */
async function findFull(
  fed: readonly FedColumn[],
  positions: JobSequences['positions'],
  { source }: Sides,
): Promise<readonly FedColumn[]> {
  const full: FedColumn[] = [];
  for (const one of fed) {
    const { index, columns, source: table } = one.plan;
    const isPreserved = columns.some(
      ({ description, fill }) => description.name === one.column && fill.kind === 'preserve',
    );
    if (!one.is_number || !isPreserved || positions.has(keyOfSequence(one))) continue;
    const hasRoom = await leavesRoom(source.at(index), table.name, one);
    if (!hasRoom) full.push(one);
  }
  return full;
}

function ofMissing(source: LocatedClient, plans: readonly TablePlan[]): Promise<readonly NeededSequence[]> {
  const omitted = plans.flatMap((plan) => plan.omitted ?? []).map(({ object }) => object.address);
  return readTableSequences(
    source,
    plans.map((plan) => plan.source.oid),
    omitted,
  );
}

async function usedBy(plan: TablePlan, sides: Sides) {
  const { index, target: existing } = plan;
  const [source, target] = [sides.source.at(index), sides.target.at(index)];
  return existing === undefined
    ? [...(await ofMissing(source, [plan])), ...(await readWriterSequences(source, [plan.source.oid]))]
    : [
        ...(await readTableSequences(target, [existing.oid])),
        ...(await readWriterSequences(target, [existing.oid])),
      ];
}
