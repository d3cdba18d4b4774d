import {
  cannotRepeat,
  MAX_FINGERPRINTS,
  MaskingError,
  type OriginalAttempts,
  OriginalAttemptsBuilder,
  TooManyOriginalsError,
} from '@understudy/masking';
import { guard } from '../../session/guard.js';
import type { FailureContexts } from '../../session/failure-contexts.js';
import { type SyncWarning, SyncJobError, type SyncFailureCode } from '@understudy/sync-job';
import type { TablePlan } from '../table-plan.js';
import { isInteger, type ColumnPlace, type JobKeys } from './job-keys.js';
import type { OriginalsReader } from './read-originals.js';
import {
  groupId,
  groupsOfOriginals,
  keepTableUnique,
  type OriginalsGroup,
  withRedraws,
} from './finalize-unique.js';
import { type TableMasks } from '../compile-masks.js';

export interface MasksToFinalize {
  readonly plans: readonly TablePlan[];
  /** By plan, in their order. */
  readonly masks: readonly TableMasks[];
  readonly keys: JobKeys;
  readonly reader: OriginalsReader;
  readonly contexts: FailureContexts;
}

export interface FinalMasks {
  readonly masks: readonly TableMasks[];
  readonly warnings: readonly SyncWarning[];
}

/**
 * Makes the compiled rules of a job ready for its keys: values that must not repeat do not, what references a key gets what the
 * key gets. Reads the originals of keys whose new values could meet, and no more of any row.
 * @throws SyncJobError unique_capacity when a rule has fewer values than it has to fill, key_too_large
 */
export async function finalizeMasks(request: MasksToFinalize): Promise<FinalMasks> {
  const { plans, keys, reader, contexts } = request;
  const warnings: SyncWarning[] = [];
  const byRow: TableMasks[] = [];
  for (const [plan, table] of plans.entries()) {
    const masks = request.masks[plan] ?? new Map();
    const ofTable = keys.tables[plan];
    if (ofTable === undefined) throw new Error('every plan has its keys');
    const finalized = await guard(contexts.on('source', table.index), () =>
      keepTableUnique({ plan, table, masks, keys: ofTable }, reader),
    );
    warnings.push(...(await checkCapacity(request, plan, finalized)));
    byRow.push(finalized);
  }
  const redraws = new Map<string, OriginalAttempts>();
  for (const group of groupsOfOriginals(plans, byRow, keys.tables)) {
    const found = await drawsOf(group, request);
    warnings.push(...found.warnings);
    if (found.draws !== undefined) redraws.set(groupId(group.mask), found.draws);
  }
  return { masks: byRow.map((masks) => withRedraws(masks, redraws)), warnings };
}

/** Has the rule enough values for the rows, and is there memory to tell them apart? */
async function checkCapacity(
  { plans, reader, contexts }: MasksToFinalize,
  plan: number,
  masks: TableMasks,
): Promise<readonly SyncWarning[]> {
  const warnings: SyncWarning[] = [];
  for (const [column, mask] of masks) {
    if ('leaves' in mask || mask.unique === undefined) continue;
    const { scopes, numbered } = mask.unique;
    const isAlone = scopes.every(({ others }) => others.length === 0);
    const { most = Infinity, easy = Infinity } = (isAlone && mask.plan.variety?.()) || {};
    const limit = scopes.length === 0 ? most : Math.min(most, MAX_FINGERPRINTS);
    const expected = plans[plan]?.source.estimatedRows ?? 0;
    // Analysed, and far from any limit: no need to count.
    if (expected > 0 && expected * FAR < Math.min(limit, easy)) continue;
    const place = { plan, column };
    const counted = await guard(contexts.on('source', plans[plan]?.index), () =>
      reader.countValues(place, Math.min(limit, LARGEST_COUNT) + 1),
    );
    const rows = Math.min(counted, plans[plan]?.rowFilter?.count ?? Infinity);
    const nullRate = mask.column.rule.nullable ?? 0;
    if (rows > limit && nullRate === 0) {
      throw failure(plans, place, most < rows ? 'unique_capacity' : 'key_too_large');
    }
    if (rows * (1 - nullRate) > easy && numbered === undefined) warnings.push(scarce(plans, place));
  }
  return warnings;
}

const FAR = 100;
/** Of a count that the server gives as a 32-bit integer. */
const LARGEST_COUNT = 2_000_000_000;

/** How the originals of a group are drawn; nothing where no two can become one value. */
async function drawsOf(
  group: OriginalsGroup,
  { plans, keys, reader, contexts }: MasksToFinalize,
): Promise<{ readonly draws?: OriginalAttempts; readonly warnings: readonly SyncWarning[] }> {
  const { mask, originals } = group;
  const [first] = originals;
  if (first === undefined || cannotRepeat(mask)) return { warnings: [] };
  const context = contexts.on('source', plans[first.plan]?.index);
  if (await guard(context, () => arePermuted(group, keys, reader))) return { warnings: [] };
  const numbered = await guard(context, () => isNumbered(group, reader));
  if (numbered && mask.plan.traits?.numbered === undefined && mask.plan.traits?.neverRepeats !== true) {
    throw failure(plans, first, 'rule_invalid', 'what is made of a count of rows may repeat');
  }
  const builder = new OriginalAttemptsBuilder(mask, numbered);
  const add = (bytes: Uint8Array, start: number, end: number) => {
    try {
      builder.add(bytes, start, end);
    } catch (cause) {
      if (cause instanceof TooManyOriginalsError) {
        throw failure(
          plans,
          first,
          cause.reason === 'memory' ? 'key_too_large' : 'unique_capacity',
          cause.message,
        );
      }
      if (cause instanceof MaskingError) throw failure(plans, first, cause.code, cause.message);
      throw cause;
    }
  };
  await guard(context, () => reader.eachDistinct(originals, add));
  const { easy = Infinity } = mask.plan.variety?.() ?? {};
  const isScarce = !numbered && builder.count > easy;
  return { draws: builder.finish(), warnings: isScarce ? [scarce(plans, first)] : [] };
}

/** Originals that are all integers of the rule's range are permuted: none meet. */
async function arePermuted(
  { mask: { integers }, originals }: OriginalsGroup,
  { tables }: JobKeys,
  reader: OriginalsReader,
): Promise<boolean> {
  if (integers === undefined) return false;
  for (const place of originals) {
    if (!isInteger(tables[place.plan]?.source.types.get(place.column))) return false;
    if (!(await reader.isWithin(place, integers.min, integers.max))) return false;
  }
  return true;
}

/** Where draws would meet too often, each original takes a value by number. */
async function isNumbered({ mask, originals }: OriginalsGroup, reader: OriginalsReader): Promise<boolean> {
  if (mask.plan.countsRows === true) return true;
  const values = mask.plan.traits?.numbered;
  if (values === undefined || mask.differs || mask.column.rule.consistent === true) return false;
  const half = Math.floor(values.count / 2);
  if (half >= MAX_FINGERPRINTS) return false;
  return (await reader.countDistinct(originals, half + 1)) > half;
}

function scarce(plans: readonly TablePlan[], place: ColumnPlace): SyncWarning {
  return { code: 'unique_scarce', ...indexesOf(plans, place) };
}

function failure(
  plans: readonly TablePlan[],
  place: ColumnPlace,
  code: SyncFailureCode,
  reason: string = code,
): SyncJobError {
  return new SyncJobError({ code, ...indexesOf(plans, place) }, { cause: new Error(reason) });
}

function indexesOf(plans: readonly TablePlan[], { plan, column }: ColumnPlace) {
  const table: TablePlan | undefined = plans[plan];
  const columnIndex = table?.columnIndex.get(column);
  return { tableIndex: table?.index ?? plan, ...(columnIndex === undefined ? {} : { columnIndex }) };
}
