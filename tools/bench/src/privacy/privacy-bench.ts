import { log } from '../bench-environment.js';
import { summaryOf, type Summary } from '../summary.js';
import { type CanaryResult, randomCanaries, findCanaries, plant, VALUES_GENERATED } from './canaries.js';
import { membership, type MembershipResult, ROWS_SEEN } from './membership.js';
import { type ColumnValue, splitColumn, usBirths } from './name-column.js';
import { nearDuplicates } from './near-duplicates.js';
import { SECRET_BITS } from './secret-ranking.js';
import { trainPrivately } from './train-privately.js';

export type PrivacyBenchResult = ReturnType<typeof benchPrivacy>;

const DATA = 'first names of children born in the US in 2016 (Social Security Administration, CC0)';
const VALUES = 10_000;
const ORDER = 4;
const MIN_VALUES = [1, 2, 5, 10];
const DEFAULT_MIN_VALUES = 5;
const SIZES = [100, 300, 1000, 3000];
const ORDERS = [2, 3, 4, 5];

/** Attacks models of one column. @param rounds number of random splits */
export function benchPrivacy(rounds: number) {
  const names = usBirths();
  const byMinValues = MIN_VALUES.map((minValues) => {
    log(`min_values ${minValues} …`);
    return ofMinValues(names, minValues, rounds);
  });
  log('smaller columns …');
  return {
    rounds,
    data: DATA,
    /** Number of distinct values on which each model is trained. The number of outsiders is the same. */
    values: VALUES,
    order: ORDER,
    rows_seen: ROWS_SEEN,
    values_drawn: VALUES_GENERATED,
    secret_bits: SECRET_BITS,
    by_min_values: byMinValues,
    by_size: SIZES.flatMap((size) => ORDERS.map((order) => ofSize(names, size, order, rounds))),
  };
}

function ofMinValues(names: readonly ColumnValue[], minValues: number, rounds: number) {
  const runs = Array.from({ length: rounds }, (_, round) => {
    const column = splitColumn(names, VALUES, round);
    const reference = trained(column.reference, ORDER, 1);
    const model = trained(column.members, ORDER, minValues);
    const groups = randomCanaries(round);
    return {
      transitions: model.ngramCount,
      novelMass: model.novelMass ?? 0,
      membership: membership(model, reference, column, round),
      near: nearDuplicates(model, column, round),
      canaries: findCanaries(trained(plant(column.members, groups), ORDER, minValues), groups, round),
    };
  });
  const attack = (name: keyof MembershipResult) => ({
    auc: summaryOf(runs.map((run) => run.membership[name].auc)),
    found_at_1_percent: summaryOf(runs.map((run) => run.membership[name].found_at_1_percent)),
  });
  return {
    min_values: minValues,
    transitions: summaryOf(runs.map((run) => run.transitions)),
    novel_mass: summaryOf(runs.map((run) => run.novelMass)),
    membership: {
      likelihood: attack('likelihood'),
      calibrated: attack('calibrated'),
      absence: attack('absence'),
    },
    near_duplicates: {
      of_members: summaryOf(runs.map((run) => run.near.of_members)),
      of_outsiders: summaryOf(runs.map((run) => run.near.of_outsiders)),
    },
    canaries: overRounds(runs.map((run) => run.canaries)),
  };
}

/**
 * Measures columns of `values` values, with the given order and the default `min_values`. A summary is null if,
 * in any round, `min_values` removed so many transitions that the model could not generate a value.
 */
function ofSize(names: readonly ColumnValue[], values: number, order: number, rounds: number) {
  const runs = Array.from({ length: rounds }, (_, round) => {
    const column = splitColumn(names, values, round);
    const model = trainPrivately(column.members, { order, minValues: DEFAULT_MIN_VALUES });
    if (model === undefined) return [];
    return [
      {
        novelMass: model.novelMass ?? 0,
        ...membership(model, trained(column.reference, order, 1), column, round),
      },
    ];
  }).flat();
  const summary = (of: (run: (typeof runs)[number]) => number): Summary | null =>
    runs.length < rounds ? null : summaryOf(runs.map(of));
  return {
    values,
    order,
    novel_mass: summary((run) => run.novelMass),
    likelihood: summary((run) => run.likelihood.auc),
    absence: summary((run) => run.absence.auc),
  };
}

function trained(values: readonly ColumnValue[], order: number, minValues: number) {
  const model = trainPrivately(values, { order, minValues });
  if (model === undefined)
    throw new Error(
      `the model of ${values.length} values has no transitions left with min_values ${minValues}`,
    );
  return model;
}

/** Combines the groups of all rounds, so that secrets of every round have the same weight. */
function overRounds(rounds: readonly (readonly CanaryResult[])[]): CanaryResult[] {
  return (rounds[0] ?? []).map((group, i) => {
    const all = rounds.map((results) => results[i] ?? group);
    const mean = (of: (result: CanaryResult) => number): number =>
      all.reduce((sum, result) => sum + of(result), 0) / all.length;
    return {
      planted_in: group.planted_in,
      times: group.times,
      exposure_bits: {
        median: mean(({ exposure_bits }) => exposure_bits.median),
        min: Math.min(...all.map(({ exposure_bits }) => exposure_bits.min)),
        max: Math.max(...all.map(({ exposure_bits }) => exposure_bits.max)),
      },
      possible: mean(({ possible }) => possible),
      came_out: mean(({ came_out }) => came_out),
    };
  });
}
