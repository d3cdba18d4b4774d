import {
  cannotRepeat,
  type ColumnMask,
  MAX_FINGERPRINTS,
  type OriginalAttempts,
  OriginalAttemptsBuilder,
} from '@understudy/masking';
import type { SyncWarning } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';
import { withClasses } from './find-classes.js';
import type { FinalMasks, MasksToFinalize } from './masks-to-finalize.js';
import { blamed, keyFailure, keyIndexes } from './key-failure.js';
import { isInteger, type ColumnLocation, type JobKeys } from './job-keys.js';
import type { OriginalsReader } from './read-originals.js';
import {
  groupId,
  groupsOfOriginals,
  keepTableUnique,
  type OriginalsColumn,
  type OriginalsGroup,
  type SourceFacts,
  uniqueKeysOf,
  withAttempts,
} from './finalize-unique.js';
import { type TableMasks } from '../compile-masks.js';

/**
 * Adapts the compiled rules of a job to its keys. Unique columns get unique values. A referencing column gets
 * the values of the column that it references. Reads original values only if the new values of a key could
 * collide.
 * @throws SyncJobError consistent_range_refused, unique_capacity if a rule has fewer values than there are rows
 * or originals. key_too_large if the fingerprints of the values do not fit into memory. rule_depends_on_row if
 * a rule depends on the row number and may give two originals the same value. key_equality_unsupported if equal
 * references would need different values.
 */
export async function finalizeMasks(request: MasksToFinalize): Promise<FinalMasks> {
  const { plans, keys, reader } = request;
  const warnings: SyncWarning[] = [];
  const byRow: TableMasks[] = [];
  for (const [plan, table] of plans.entries()) {
    const masks = request.masks[plan] ?? new Map();
    const ofTable = keys.tables[plan];
    if (ofTable === undefined) throw new Error('expected the keys of every plan');
    const isWithin = within({ ...request, reader: reader.at(table) });
    const finalized = await keepTableUnique({ plan, table, masks, keys: ofTable }, { isWithin });
    refuseConsistentRanges(request, plan, finalized);
    warnings.push(...(await checkCapacity(request, plan, finalized)));
    byRow.push(finalized);
  }
  const classed = await withClasses({ ...request, masks: byRow });
  const attempts = new Map<string, OriginalAttempts>();
  for (const group of groupsOfOriginals(plans, classed, keys.tables)) {
    const found = await attemptsOf(group, request);
    warnings.push(...found.warnings);
    if (found.attempts !== undefined) attempts.set(groupId(group.mask), found.attempts);
  }
  return { masks: classed.map((masks) => withAttempts(masks, attempts)), warnings };
}

/**
 * Checks that each unique rule has enough values for the rows, and that the fingerprints of these values fit
 * into memory.
 */
async function checkCapacity(
  { plans, reader }: MasksToFinalize,
  plan: number,
  masks: TableMasks,
): Promise<readonly SyncWarning[]> {
  const warnings: SyncWarning[] = [];
  for (const [column, mask] of masks) {
    if ('leaves' in mask || mask.unique === undefined) continue;
    const { scopes, numbered } = mask.unique;
    const isOnlyColumn = scopes.every(({ others }) => others.length === 0);
    const isModelText = refuseUncounted(plans, { plan, column }, mask);
    const { most = Infinity, easy = Infinity } =
      ((isOnlyColumn || isModelText) && mask.plan.variety?.()) || {};
    const limit = scopes.length === 0 ? most : Math.min(most, MAX_FINGERPRINTS);
    const expected = plans[plan]?.source.estimatedRows ?? 0;
    // According to the planner's estimate, the table is far below all limits, so there is no need to count.
    if (expected > 0 && expected * FAR < Math.min(limit, easy)) continue;
    const location = { plan, column };
    const upTo = Math.min(limit, MAX_COUNT) + 1;
    const counted = await reader.at(plans[plan]).countValues(location, upTo);
    const rows = Math.min(counted, plans[plan]?.rowFilter?.count ?? Infinity);
    const nullRate = mask.column.rule.nullable ?? 0;
    if (rows > limit && (nullRate === 0 || isModelText)) {
      throw keyFailure(plans, location, most < rows ? 'unique_capacity' : 'key_too_large');
    }
    if (rows * (1 - nullRate) > easy && numbered === undefined) warnings.push(scarce(plans, location));
  }
  return warnings;
}

/**
 * Refuses text of a private model in a unique key, if the number of texts is not known. A job that runs out of new texts
 * would show how many texts are originals.
 * @returns whether the mask has such text, and can run out of it
 * @throws SyncJobError model_text_refused
 */
function refuseUncounted(plans: readonly TablePlan[], location: ColumnLocation, mask: ColumnMask): boolean {
  if (mask.modelText === undefined || cannotRepeat(mask)) return false;
  if (mask.column.rule.transform === undefined && mask.plan.variety?.() !== undefined) return true;
  throw keyFailure(plans, location, 'model_text_refused', 'the number of texts is not known');
}

const FAR = 100;
/** The largest number of rows to count. It fits an int4, in which the server returns the count. */
const MAX_COUNT = 2_000_000_000;

/**
 * Chooses values for the originals of a group so that no two originals get the same value.
 * @returns `attempts` with the number of the chosen candidate value for each original. `attempts` is absent
 * if the rule cannot give two originals the same value.
 */
async function attemptsOf(
  group: OriginalsGroup,
  { plans, keys, reader: ofJob }: MasksToFinalize,
): Promise<{ readonly attempts?: OriginalAttempts; readonly warnings: readonly SyncWarning[] }> {
  const { mask, originals } = group;
  const [first] = originals;
  if (first === undefined || cannotRepeat(mask)) return { warnings: [] };
  refuseUncounted(plans, first, mask);
  const reader = ofJob.at(plans[first.plan]);
  if (await arePermuted(group, keys, within({ plans, keys, reader }))) return { warnings: [] };
  if (
    isConsistentRange(mask) &&
    originals.some((location) => isProtected(plans, location)) &&
    (await exceedsHalf(group, reader))
  )
    throw keyFailure(plans, first, 'consistent_range_refused');
  await refuseUnenforced(group, { plans, keys, reader });
  const numbered = await isNumbered(group, reader);
  if (numbered && mask.plan.traits?.numbered === undefined && mask.plan.traits?.neverRepeats !== true) {
    throw keyFailure(plans, first, 'rule_depends_on_row', 'a value that is made from a row count may repeat');
  }
  const isRespelled = mask.column.canonical === 'folded' || mask.originalClasses !== undefined;
  const mayRepeat = isRespelled || byForm(originals).length > 1 || group.dangling.length > 0;
  const builder = new OriginalAttemptsBuilder(mask, {
    ...{ numbered, mayRepeat },
    ...(group.compared === undefined ? {} : { compared: group.compared }),
  });
  // Originals of roots come first, so that their values do not depend on references to missing rows.
  for (const columns of [originals, group.dangling]) {
    if (columns.length === 0) continue;
    const lists = byForm(columns);
    await reader.eachDistinct(lists, (bytes, start, end, list) => {
      blamed(plans, first, () => {
        builder.add(bytes, start, end, lists[list]?.[0]?.mask);
      });
    });
  }
  const { easy = Infinity } = mask.plan.variety?.() ?? {};
  const isScarce = !numbered && builder.count > easy;
  return { attempts: builder.finish(), warnings: isScarce ? [scarce(plans, first)] : [] };
}

/**
 * Refuses a rule that can run out of values, if a protected column may hold references to missing rows. The job would
 * show how many originals of the column occur in the referenced key. Accepts ranges of integers with at least twice as
 * many values as the columns have originals, counted for each column.
 * @throws SyncJobError unique_capacity
 */
async function refuseUnenforced(
  { mask: { integers }, originals, dangling }: OriginalsGroup,
  { plans, keys, reader }: Pick<MasksToFinalize, 'plans' | 'keys' | 'reader'>,
): Promise<void> {
  const columns = [...originals, ...dangling];
  const [first] = columns;
  if (first === undefined || dangling.length === 0) return;
  if (!columns.some((location) => isProtected(plans, location))) return;
  const areIntegers = columns.every(({ plan, column }) =>
    isInteger(keys.tables[plan]?.source.types.get(column)),
  );
  if (areIntegers && integers !== undefined) {
    const half = Math.min(Math.floor((integers.max - integers.min + 1) / 2), MAX_FINGERPRINTS);
    let count = 0;
    for (const location of columns) count += await reader.countDistinct([location], half + 1);
    if (count <= half) return;
  }
  throw keyFailure(plans, first, 'unique_capacity', 'references of a protected column may lack a row');
}

/** Groups columns in which the same text is the same original. */
function byForm(columns: readonly OriginalsColumn[]): readonly (readonly OriginalsColumn[])[] {
  const forms: OriginalsColumn[][] = [];
  for (const column of columns) {
    const { canonical } = column.mask.column;
    const known = forms.find(
      ([one]) =>
        one?.mask.column.canonical === canonical && one?.mask.originalClasses === column.mask.originalClasses,
    );
    if (known === undefined) forms.push([column]);
    else known.push(column);
  }
  return forms;
}

/**
 * Returns whether all originals are integers within the range of the rule. The rule then permutes this range,
 * so values cannot collide.
 */
async function arePermuted(
  { mask: { integers }, originals, dangling }: OriginalsGroup,
  { tables }: JobKeys,
  isWithin: IsWithin,
): Promise<boolean> {
  if (integers === undefined) return false;
  for (const location of [...originals, ...dangling]) {
    if (!isInteger(tables[location.plan]?.source.types.get(location.column))) return false;
    if (!(await isWithin(location, integers.min, integers.max))) return false;
  }
  return true;
}

/**
 * Returns whether to number the originals, so that each one gets the rule's value for its number. Rules that
 * depend on the row number need this. Other rules need it if randomly chosen values would collide too often.
 */
async function isNumbered({ mask, originals }: OriginalsGroup, reader: OriginalsReader): Promise<boolean> {
  if (mask.plan.countsRows === true) return true;
  const values = mask.plan.traits?.numbered;
  if (values === undefined || mask.differs || mask.column.rule.consistent === true) return false;
  return exceedsHalf({ mask, originals }, reader);
}

/** Returns whether there are more originals than half of the values that the rule numbers. */
async function exceedsHalf(
  { mask, originals }: Pick<OriginalsGroup, 'mask' | 'originals'>,
  reader: OriginalsReader,
): Promise<boolean> {
  const half = Math.floor((mask.plan.traits?.numbered?.count ?? Infinity) / 2);
  if (half >= MAX_FINGERPRINTS) return false;
  return (await reader.countDistinct(originals, half + 1)) > half;
}

type IsWithin = SourceFacts['isWithin'];

/**
 * Returns a function that decides whether all originals of an integer column are within a rule's range. On a
 * column that the policy protects, it does not compare originals with the range: the range must contain all
 * values of the column's type.
 */
function within({ plans, keys, reader }: Pick<MasksToFinalize, 'plans' | 'keys' | 'reader'>): IsWithin {
  return (location, min, max) =>
    isProtected(plans, location)
      ? Promise.resolve(containsType(keys, location, { min, max }))
      : reader.isWithin(location, min, max);
}

/**
 * Refuses a rule with `consistent` and a range of integers on a protected column that is no key. Originals
 * inside the range never get the same new value, and others can. The new values would therefore reveal which
 * originals are inside a range that the job's author chose.
 * @throws SyncJobError consistent_range_refused
 */
function refuseConsistentRanges({ plans, keys }: MasksToFinalize, plan: number, masks: TableMasks): void {
  const table = plans[plan];
  const ofTable = keys.tables[plan];
  if (table === undefined || ofTable === undefined) return;
  const unique = uniqueKeysOf(table, ofTable);
  for (const { description, fill } of table.columns) {
    const location = { plan, column: description.name };
    const mask = masks.get(description.name);
    if (mask === undefined || 'leaves' in mask || !isConsistentRange(mask)) continue;
    if (fill.kind !== 'produce' || fill.isProtected !== true || fill.shared !== undefined) continue;
    const isKey = unique.some(({ columns }) => columns.length === 1 && columns[0] === description.name);
    if (isKey || containsType(keys, location, mask.integers)) continue;
    throw keyFailure(plans, location, 'consistent_range_refused');
  }
}

function isConsistentRange(
  mask: ColumnMask,
): mask is ColumnMask & { integers: NonNullable<ColumnMask['integers']> } {
  return mask.integers !== undefined && mask.column.rule.consistent === true;
}

function isProtected(plans: readonly TablePlan[], { plan, column }: ColumnLocation): boolean {
  const fill = plans[plan]?.columns.find(({ description }) => description.name === column)?.fill;
  return fill?.kind === 'produce' && fill.isProtected === true;
}

/** Returns whether the range contains every value of the column's integer type. */
function containsType(
  { tables }: JobKeys,
  { plan, column }: ColumnLocation,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  const bits = { int2: 16, int4: 32, int8: 64 }[tables[plan]?.source.types.get(column)?.base ?? ''];
  return bits !== undefined && min <= -(2 ** (bits - 1)) && max >= 2 ** (bits - 1) - 1;
}

function scarce(plans: readonly TablePlan[], location: ColumnLocation): SyncWarning {
  return { code: 'unique_scarce', ...keyIndexes(plans, location) };
}
