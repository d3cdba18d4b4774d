import { create, toBinary, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';

import { MAX_KEPT_HOURS } from '@understudy/sync-job';

export { defined } from '@understudy/sync-job';

/** A message that an agent sends. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  /** The same content as protobuf's JSON, for the journal. */
  readonly message: unknown;
}

export function encodeMessage<D extends DescMessage>(
  schema: D,
  content: MessageInitShape<D>,
): EncodedMessage {
  const message = create(schema, content);
  return { bytes: toBinary(schema, message), message: toJson(schema, message) };
}

export function bytesOf<D extends DescMessage>(schema: D, content: MessageInitShape<D>): Uint8Array {
  return toBinary(schema, create(schema, content));
}

/** The format of the ids that the control plane issues. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2 ** 31 - 1;

/** Checks that an unsigned 32-bit counter of a message is positive and fits an `integer` column. */
export function isPositiveInteger(value: number): boolean {
  return value > 0 && value <= MAX_INTEGER;
}

/** Encodes a count. Rounds it to a whole number and raises negative counts to 0. */
export function wireCount(count: number): bigint {
  return BigInt(Math.max(0, Math.round(count)));
}

/** Decodes a count. Larger values become `Number.MAX_SAFE_INTEGER`. */
export function count(wire: bigint): number {
  return Number(wire > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : wire);
}

/** Returns for how long a replaced database is kept, in hours; undefined if it is not kept. */
export function keptHoursOf(hours: number | undefined): number | undefined {
  return hours === undefined ? undefined : Math.min(hours, MAX_KEPT_HOURS);
}

/** Encodes an SQLSTATE as the number whose five base-36 digits it is. Returns 0 for any other text. */
export function wireSqlstate(sqlstate: string | undefined): number {
  return sqlstate !== undefined && /^[0-9A-Z]{5}$/.test(sqlstate) ? Number.parseInt(sqlstate, 36) : 0;
}

/** Decodes an SQLSTATE. @returns undefined for 0, which means none, and for numbers of more than five digits */
export function sqlstate(wire: number): string | undefined {
  return wire === 0 || wire >= 36 ** 5 ? undefined : wire.toString(36).toUpperCase().padStart(5, '0');
}

/** Two 64-bit words of a keyed hash, big-endian and in order. */
export interface TwoWords {
  readonly word0: bigint;
  readonly word1: bigint;
}
export interface FourWords extends TwoWords {
  readonly word2: bigint;
  readonly word3: bigint;
}

/** Encodes a hash of 32 hex digits. @throws RangeError for another length */
export function twoWords(hex: string): TwoWords {
  const [word0 = 0n, word1 = 0n] = words(hex, 2);
  return { word0, word1 };
}

/** Encodes a hash of 64 hex digits. @throws RangeError for another length */
export function fourWords(hex: string): FourWords {
  const [word0 = 0n, word1 = 0n, word2 = 0n, word3 = 0n] = words(hex, 4);
  return { word0, word1, word2, word3 };
}

function words(hex: string, count: number): bigint[] {
  if (hex.length !== count * 16) throw new RangeError(`expected a hash of ${count * 16} hex digits`);
  return Array.from({ length: count }, (_, index) => BigInt(`0x${hex.slice(index * 16, index * 16 + 16)}`));
}

/** Decodes a hash to lower-case hex. */
export function hexWords({ word0, word1, ...rest }: TwoWords | FourWords): string {
  const all = 'word2' in rest ? [word0, word1, rest.word2, rest.word3] : [word0, word1];
  return all.map((word) => word.toString(16).padStart(16, '0')).join('');
}

export function bytesOfHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
