import { OID, textOfBinary } from '@understudy/copy-format';
import { isBinaryMask, type CellMask } from '@understudy/masking';
import type { CopyLayout } from './copy-layout.js';
import type { TablePlan } from '../plan/table-plan.js';

/** Of COPY, on both sides alike. */
export type CopyFormat = 'text' | 'binary';

/**
 * Binary where it says the same as text: both servers spend a quarter less on it. That needs columns of built-in types, the same on
 * both sides, rules for columns of text alone that look at nothing of the original, and a key of which we know the text, since that is
 * what a row's values are a function of.
 * @param isStagedAsText the rows wait in columns of text
 */
export function copyFormat(
  plan: Pick<TablePlan, 'source' | 'target' | 'columns'>,
  masks: ReadonlyMap<string, CellMask>,
  layout: CopyLayout,
  isStagedAsText: boolean,
): CopyFormat {
  const { head, keyFields, orderBy } = layout;
  const types = new Map(plan.source.columns.map(({ name, type }) => [name, type]));
  const targetTypes = plan.target && new Map(plan.target.columns.map(({ name, type }) => [name, type]));
  const typeOf = (name: string) => types.get(name) ?? 0;
  const isPortable = (name: string) =>
    PORTABLE.has(typeOf(name)) && (targetTypes === undefined || targetTypes.get(name) === typeOf(name));
  const isBinary =
    !isStagedAsText &&
    layout.read.length > 0 &&
    orderBy.length === 0 &&
    layout.read.every(isPortable) &&
    head.every(({ kind }) => kind !== 'drop') &&
    layout.read.slice(0, keyFields).every((name) => textOfBinary(typeOf(name)) !== undefined) &&
    [...masks].every(([name, mask]) => isBinaryMask(mask) && TEXTS.has(typeOf(name)));
  return isBinary ? 'binary' : 'text';
}

/** Columns that a rule may write in binary. */
const TEXTS: ReadonlySet<number> = new Set([OID.text, OID.varchar, OID.bpchar]);

/** Types whose binary form has not changed since PostgreSQL 14 and holds no OID of another object. */
const PORTABLE: ReadonlySet<number> = new Set([
  ...[OID.bool, OID.bytea, OID.int8, OID.int2, OID.int4, OID.text, OID.json, OID.float4, OID.float8],
  ...[OID.inet, OID.cidr, OID.macaddr, OID.bpchar, OID.varchar, OID.date, OID.time, OID.timestamp],
  ...[OID.timestamptz, OID.interval, OID.timetz, OID.numeric, OID.uuid, OID.jsonb, OID.int2Array],
  ...[OID.int4Array, OID.textArray, OID.int8Array, OID.float8Array, OID.uuidArray, OID.numericArray],
  ...[OID.varcharArray, OID.timestamptzArray],
]);
