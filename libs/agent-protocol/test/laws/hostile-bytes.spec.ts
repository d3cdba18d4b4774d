import { create, toBinary } from '@bufbuild/protobuf';
import fc, { type Arbitrary } from 'fast-check';

import { decodeEvent, decodeHeartbeat } from '../../src/index.js';
import { EventSchema, HeartbeatSchema } from '../../src/schema/index.js';

const text = fc.oneof(
  fc.constantFrom('job_1', 'shop', '', '\0', 'a\0', '__proto__', 'a'.repeat(64)),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);
const sqlName = fc.record({ text });
const long = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const integer = fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1));
const code = fc.integer({ min: -5, max: 400 });
const instant = fc.record({ seconds: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) });
const words = fc.record({ word0: long, word1: long, word2: long, word3: long });

const failed = fc.record({
  code,
  sqlstate: integer,
  problems: fc.array(fc.record({ code, column: sqlName, object: fc.record({ kind: code, name: sqlName }) })),
});
const progress = fc.record({
  tables: fc.array(fc.record({ state: code, rowsTotal: long })),
  bytesPerSecond: long,
});
const jobEvent = fc.oneof(
  failed.map((value) => ({ case: 'failed' as const, value })),
  progress.map((value) => ({ case: 'progress' as const, value })),
);
const job = fc.record({ jobId: text, epoch: integer, seq: integer, event: jobEvent });
const ready = fc.record({
  ...{ tables: fc.array(fc.record({ schema: sqlName, name: sqlName })), sizeBytes: long },
  ...{ manifestHash: words, store: words },
});
const snapshot = fc.record({
  ...{ snapshotId: text, epoch: integer, seq: integer },
  event: ready.map((value) => ({ case: 'ready' as const, value })),
});
const event = fc.record({
  journalSeq: fc.oneof(fc.constant(1n), long),
  occurredAt: instant,
  event: fc.oneof(
    job.map((value) => ({ case: 'syncJob' as const, value })),
    snapshot.map((value) => ({ case: 'snapshot' as const, value })),
    text.map((deletionId) => ({ case: 'snapshotDeleted' as const, value: { deletionId } })),
  ),
});
const heartbeat = fc.record({
  leases: fc.array(fc.record({ jobId: text, epoch: integer, snapshotAgeSeconds: integer })),
  freeSlots: integer,
  offer: fc.record({
    labels: fc.array(text),
    databases: fc.array(fc.record({ name: text, policy: words })),
    ...{ maskingKey: words, urls: words, slots: integer, capabilities: fc.array(code) },
  }),
});

/** Replaces parts of messages by other bytes. */
function damaged(messages: Arbitrary<Uint8Array>): Arbitrary<Uint8Array> {
  const part = fc.record({ at: fc.nat(300), removed: fc.nat(4), added: fc.uint8Array({ maxLength: 8 }) });
  return fc.tuple(messages, fc.array(part, { maxLength: 3 })).map(([message, parts]) =>
    parts.reduce((bytes, { at, removed, added }) => {
      const start = at % (bytes.length + 1);
      return new Uint8Array(
        Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)]),
      );
    }, message),
  );
}

/** Returns the names and the values in a decoded message. */
function partsOf(decoded: unknown): readonly unknown[] {
  if (typeof decoded !== 'object' || decoded === null || decoded instanceof Date) return [decoded];
  return Object.entries(decoded).flatMap(([key, value]) => [key, ...partsOf(value)]);
}

/** The longest text is `agent:` with a name of 63 letters. */
function isBounded(part: unknown): boolean {
  if (typeof part === 'string') return part !== '' && Buffer.byteLength(part) <= 69 && !part.includes('\0');
  return typeof part !== 'number' || Number.isSafeInteger(part);
}

const LONGER = { numRuns: 2_000 };

describe('messages of a hostile agent', () => {
  it('never make the decoder of events throw, and give only short texts and safe numbers', () => {
    const bytes = damaged(event.map((one) => toBinary(EventSchema, create(EventSchema, one))));
    fc.assert(
      fc.property(bytes, (one) => partsOf(decodeEvent(one)).every(isBounded)),
      LONGER,
    );
  });

  it('are refused as a heartbeat, or give only short texts and safe numbers', () => {
    const bytes = damaged(heartbeat.map((one) => toBinary(HeartbeatSchema, create(HeartbeatSchema, one))));
    fc.assert(
      fc.property(bytes, (one) => {
        try {
          return partsOf(decodeHeartbeat(one)).every(isBounded);
        } catch (error) {
          return error instanceof Error;
        }
      }),
      LONGER,
    );
  });
});
