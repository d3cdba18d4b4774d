import {
  advanceSequences,
  type EngineLog,
  type FeedingSequence,
  findSequences,
  hasDynamicSequence,
  hasOtherOptions,
  keyOfSequence,
  quoteTable,
  readFeedingSequences,
  readPositions,
  readSequenceOptions,
  readTableSequences,
  readWriterSequences,
  restartSequence,
  type SequenceOptions,
  type SequencePosition,
} from '@understudy/postgres';
import type { SyncWarning, TableName } from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { TablePlan } from '../../plan/table-plan.js';

/** The sequences that the tables of a job depend on, on either side. */
export interface JobSequences {
  readonly names: readonly TableName[];
  /** The sequences that functions or views use, by `keyOfSequence`. */
  readonly inFunctions: ReadonlySet<string>;
  /** The positions on the source, by `keyOfSequence`. Read after the snapshot, so they are beyond all copied rows. */
  readonly positions: ReadonlyMap<string, SequencePosition>;
  /** The options on the source, by `keyOfSequence`. */
  readonly options: ReadonlyMap<string, SequenceOptions>;
  /**
   * The created tables whose functions need a sequence only through a function that they call by its name, by
   * `keyOfSequence`. A job does not create such functions and sequences.
   */
  readonly called: ReadonlyMap<string, readonly number[]>;
  /** The sequences with which others write rows of a table, by `keyOfSequence`, by the index of the table's plan. */
  readonly writers: ReadonlyMap<number, ReadonlySet<string>>;
  readonly warnings: readonly SyncWarning[];
}

/** Reads the sequences that the source's tables and the existing tables of the target depend on. */
export async function readJobSequences(
  plans: readonly TablePlan[],
  source: LocatedClient,
  target: LocatedClient,
): Promise<JobSequences> {
  const ofSource = plans.map((plan) => plan.source.oid);
  const omitted = plans.flatMap((plan) => plan.omitted ?? []).map(({ object }) => object.address);
  const ofTarget = plans.flatMap((plan) => plan.target?.oid ?? []);
  const needed = [
    ...(await readTableSequences(source, ofSource, omitted)),
    ...(await readTableSequences(target, ofTarget)),
  ];
  // Others write rows with them, so the columns do not show all values in use.
  const writersOfSource = await readWriterSequences(source, ofSource);
  const writersOfTarget = await readWriterSequences(target, ofTarget);
  const ofWriters = [...writersOfSource, ...writersOfTarget];
  const writers = new Map<number, ReadonlySet<string>>();
  for (const plan of ofWriters.length > 0 ? plans : []) {
    const own = [
      ...writersOfSource.filter(({ writes }) => writes === plan.source.oid),
      ...writersOfTarget.filter(({ writes }) => writes === plan.target?.oid),
    ];
    writers.set(plan.index, new Set(own.map(keyOfSequence)));
  }
  const names = [
    ...new Map([...needed, ...ofWriters].map((sequence) => [keyOfSequence(sequence), sequence])).values(),
  ];
  const inFunctions = new Set(
    [...needed.filter(({ isInFunction }) => isInFunction), ...ofWriters].map(keyOfSequence),
  );
  const positions = await readPositions(source, await findSequences(source, names));
  const options = await readSequenceOptions(source, names);
  const isDynamic = async (some: readonly TablePlan[]): Promise<boolean> => {
    const created = some.flatMap((plan) => (plan.target === undefined ? plan.source.oid : []));
    const existing = some.flatMap((plan) => plan.target?.oid ?? []);
    return (
      (await hasDynamicSequence(source, created, omitted)) || (await hasDynamicSequence(target, existing))
    );
  };
  const warnings: SyncWarning[] = [];
  if (await isDynamic(plans)) {
    for (const plan of plans) {
      if (await isDynamic([plan])) warnings.push({ code: 'sequence_name_dynamic', tableIndex: plan.index });
    }
  }
  const called = new Map<string, number[]>();
  if (needed.some(({ isCalled }) => isCalled)) {
    for (const {
      index,
      source: { oid },
    } of plans.filter((plan) => plan.target === undefined)) {
      const own = await readTableSequences(source.at(index), [oid], omitted);
      for (const sequence of own.filter(({ isCalled }) => isCalled)) {
        const key = keyOfSequence(sequence);
        called.set(key, [...(called.get(key) ?? []), index]);
      }
    }
  }
  return { names, inFunctions, positions, options, called, writers, warnings };
}

/**
 * Moves the sequences of switched tables beyond the values in use: beyond the numbers of the columns that they feed.
 * If a sequence is used in another way too, shares a column, or has no value beyond the numbers, it is moved to its
 * position on the source. The position shows no values in use in a column that a rule masks.
 * @returns a warning for each table with a sequence that may be behind
 */
export async function moveSequences(
  client: LocatedClient,
  plans: readonly TablePlan[],
  sequences: JobSequences,
  log: EngineLog,
): Promise<readonly SyncWarning[]> {
  const { names, inFunctions, positions } = sequences;
  const numbers = new Set<string>();
  const others = new Set(inFunctions);
  const tables = plans.map(({ name }) => name);
  const fed = ofPlans(plans, await readFeedingSequences(client, tables));
  const uncertain = sequencesOfMaskedColumns(plans, fed, sequences.writers);
  for (const feeding of fed) {
    const { plan } = feeding;
    const key = keyOfSequence(feeding);
    const isShared = sharesColumn(feeding, fed, sequences.writers.get(plan.index));
    const isMasked = masksColumn(plan, feeding.column);
    const isMoved =
      feeding.is_number &&
      (isMasked || !isShared || !positions.has(key)) &&
      (await restartSequence(client.at(plan.index), plan.name, feeding));
    if (isMasked && !isMoved) uncertain.add(key);
    (isMoved && !isShared ? numbers : others).add(key);
  }
  const existing = await findSequences(client, names);
  const isKnown = (key: string) => numbers.has(key) && !others.has(key);
  const hidden = existing.filter((sequence) => !isKnown(keyOfSequence(sequence)));
  const behind = await advanceSequences(client, hidden, positions);
  const unknown = [...behind, ...existing.filter((sequence) => uncertain.has(keyOfSequence(sequence)))];
  const differing = await findDiffering(client, existing, sequences);
  return warnAboutSequences(plans, sequences, { existing, unknown, differing, log }, ({ name }) =>
    usedBy(client, name),
  );
}

/** Finds the sequences of the target that have other options than those of the source. */
export async function findDiffering(
  client: LocatedClient,
  existing: readonly TableName[],
  { options }: Pick<JobSequences, 'options'>,
): Promise<readonly TableName[]> {
  const own = await readSequenceOptions(client, existing);
  return existing.filter((sequence) => {
    const [there, here] = [options.get(keyOfSequence(sequence)), own.get(keyOfSequence(sequence))];
    return there !== undefined && here !== undefined && hasOtherOptions(there, here);
  });
}

/**
 * Returns whether another sequence can feed the column, too. Its values do not show the position of this sequence
 * then.
 */
export function sharesColumn(
  sequence: FedColumn,
  fed: readonly FedColumn[],
  writers: ReadonlySet<string> = new Set(),
): boolean {
  const key = keyOfSequence(sequence);
  const ofColumn = fed.filter(
    ({ plan, column }) => plan.index === sequence.plan.index && column === sequence.column,
  );
  return [...ofColumn.map(keyOfSequence), ...writers].some((other) => other !== key);
}

/** A column that a sequence feeds. */
export interface FedColumn extends FeedingSequence {
  readonly plan: TablePlan;
}

/** @param fed sequences whose `position` is an index into `plans` */
export function ofPlans(plans: readonly TablePlan[], fed: readonly FeedingSequence[]): readonly FedColumn[] {
  return fed.flatMap((one) => {
    const plan = plans[one.position];
    return plan === undefined ? [] : [{ ...one, plan }];
  });
}

/**
 * Returns the sequences whose next values may be in use because rules mask columns that they can feed, by
 * `keyOfSequence`. The position on the source shows nothing about masked values. The values show it only if the column
 * has numbers from one sequence.
 */
export function sequencesOfMaskedColumns(
  plans: readonly TablePlan[],
  fed: readonly FedColumn[],
  writers: JobSequences['writers'],
): Set<string> {
  const ofColumns = fed.filter(
    (one) =>
      masksColumn(one.plan, one.column) &&
      (!one.is_number || sharesColumn(one, fed, writers.get(one.plan.index))),
  );
  const masked = plans.filter(({ columns }) =>
    columns.some(({ description, fill }) => description.keyPosition !== undefined && fill.kind === 'produce'),
  );
  const ofWriters = masked.flatMap(({ index }) => {
    const own = new Set(fed.filter(({ plan }) => plan.index === index).map(keyOfSequence));
    return [...(writers.get(index) ?? [])].filter((key) => !own.has(key));
  });
  return new Set([...ofColumns.map(keyOfSequence), ...ofWriters]);
}

/** Returns whether a rule makes the values of a column. They are not those that a sequence returned. */
function masksColumn({ columns }: TablePlan, column: string): boolean {
  return columns.some(({ description, fill }) => description.name === column && fill.kind === 'produce');
}

/**
 * Logs the sequences that may return values in use, or other values than on the source.
 * @param existing the job's sequences that the target has
 * @param unknown those of them that are behind
 * @param differing those of them that have other options
 * @param sequencesOf reads the sequences with which rows of a table are written
 * @returns a warning for each table with such a sequence
 */
export async function warnAboutSequences(
  plans: readonly TablePlan[],
  { names, called }: Pick<JobSequences, 'names' | 'called'>,
  {
    existing,
    unknown,
    differing,
    log,
  }: {
    readonly existing: readonly TableName[];
    readonly unknown: readonly TableName[];
    readonly differing: readonly TableName[];
    readonly log: EngineLog;
  },
  sequencesOf: (plan: TablePlan) => Promise<readonly TableName[]>,
): Promise<readonly SyncWarning[]> {
  const there = new Set(existing.map(keyOfSequence));
  const missing = names.filter((name) => called.has(keyOfSequence(name)) && !there.has(keyOfSequence(name)));
  if (missing.length > 0)
    log.warn(
      { sequences: missing.map(quoteTable) },
      'sequences that functions use are missing on the target',
    );
  if (unknown.length > 0)
    log.warn({ sequences: unknown.map(quoteTable) }, 'sequences may return values that are in use');
  if (differing.length > 0)
    log.warn(
      { sequences: differing.map(quoteTable) },
      'sequences have another increment, CYCLE option or other bounds than on the source',
    );
  const without = new Set(missing.flatMap((name) => called.get(keyOfSequence(name)) ?? []));
  const warnings: SyncWarning[] = [];
  for (const plan of plans) {
    const own = unknown.length + differing.length > 0 ? (await sequencesOf(plan)).map(keyOfSequence) : [];
    const isAmong = (some: readonly TableName[]) => some.some((name) => own.includes(keyOfSequence(name)));
    if (without.has(plan.index) || isAmong(unknown))
      warnings.push({ code: 'sequence_unknown', tableIndex: plan.index });
    if (isAmong(differing)) warnings.push({ code: 'sequence_options_differ', tableIndex: plan.index });
  }
  return warnings;
}

async function usedBy(client: LocatedClient, name: TableName): Promise<readonly TableName[]> {
  const { rows } = await client.query<{ oid: string }>(
    'SELECT $1::pg_catalog.regclass::pg_catalog.oid::text AS oid',
    [quoteTable(name)],
  );
  const oids = rows.map(({ oid }) => oid);
  return [...(await readTableSequences(client, oids)), ...(await readWriterSequences(client, oids))];
}
