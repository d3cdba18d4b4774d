import { create, toBinary, toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@understudy/contract';

/** An encoded message that the agent sends. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  /** The same content as protobuf's JSON, for the journal. */
  readonly message: unknown;
}

export function encodeEventMessage(
  journalSeq: number,
  occurredAt: Date,
  event: NonNullable<MessageInitShape<typeof EventSchema>['event']>,
): EncodedMessage {
  const message = create(EventSchema, {
    journalSeq: BigInt(journalSeq),
    occurredAt: timestampFromDate(occurredAt),
    event,
  });
  return { bytes: toBinary(EventSchema, message), message: toJson(EventSchema, message) };
}

/** Encodes a count. Rounds it to a whole number and raises negative counts to 0. */
export function wireCount(count: number): bigint {
  return BigInt(Math.max(0, Math.round(count)));
}

/** Returns the number whose five base-36 digits are the SQLSTATE. Returns 0 if the text is not a SQLSTATE. */
export function sqlstateNumber(sqlstate: string | undefined): number {
  return sqlstate !== undefined && /^[0-9A-Z]{5}$/.test(sqlstate) ? Number.parseInt(sqlstate, 36) : 0;
}

/** Encodes 16 bytes as two big-endian 64-bit words. */
export function twoWords(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { word0: view.getBigUint64(0), word1: view.getBigUint64(8) };
}

/**
 * Encodes 32 bytes as four big-endian 64-bit words.
 * @throws RangeError for another length
 */
export function fourWords(bytes: Uint8Array) {
  if (bytes.length !== 32) throw new RangeError('a hash has 32 bytes');
  const { word0: word2, word1: word3 } = twoWords(bytes.subarray(16));
  return { ...twoWords(bytes), word2, word3 };
}
