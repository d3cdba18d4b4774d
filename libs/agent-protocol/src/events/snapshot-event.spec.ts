import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AnswerSchema, EventSchema, FailureCode } from '../schema/index.js';

import { decodePrecheckResponse } from '../commands/restore-precheck.js';
import { decodeEvent } from './event.js';

type Event = MessageInitShape<typeof EventSchema>['event'];

const decode = (event: Event) =>
  decodeEvent(
    toBinary(EventSchema, create(EventSchema, { journalSeq: 7n, occurredAt: timestampFromMs(1_000), event })),
  );
const snapshot = (event: object, snapshotId = 'snap_1') =>
  decode({ case: 'snapshot', value: { snapshotId, epoch: 2, seq: 3, event: event as never } }).message;

const READY = {
  sizeBytes: 2n ** 63n,
  tableCount: 3,
  tables: [
    { schema: { text: 'public' }, name: { text: 'customers' } },
    { schema: { text: 'public' }, name: { text: 'x'.repeat(64) } },
    { schema: { text: 'public' }, name: { text: 'a\0b' } },
    { name: { text: 'without a schema' } },
  ],
  durationMs: 5n,
  format: 1,
  serverVersion: 170_006,
  manifestHash: { word0: 1n, word1: 2n, word2: 3n, word3: 0xffffffffffffffffn },
  store: { word0: 10n, word1: 11n },
};

describe('decoding a snapshot event', () => {
  it('writes hashes of a ready snapshot as hex, limits its counts and drops invalid table names', () => {
    expect(snapshot({ case: 'ready', value: READY })).toEqual({
      pattern: 'snapshot',
      data: {
        snapshotId: 'snap_1',
        epoch: 2,
        seq: 3,
        occurredAt: new Date(1_000),
        body: {
          type: 'ready',
          made: {
            sizeBytes: Number.MAX_SAFE_INTEGER,
            tableCount: 3,
            tables: [{ schema: 'public', name: 'customers' }],
            durationMs: 5,
            format: 1,
            serverVersion: 170_006,
            manifestHash: '000000000000000100000000000000020000000000000003ffffffffffffffff',
            store: '000000000000000a000000000000000b',
          },
        },
      },
    });
  });

  it('reports an event with a missing field or an invalid id as malformed and keeps its journal number', () => {
    const without = { ...READY, store: undefined };
    expect(snapshot({ case: 'ready', value: without })).toBeUndefined();
    expect(snapshot({ case: 'started', value: {} }, 'snap 1; DROP')).toBeUndefined();
    expect(snapshot({ case: undefined })).toBeUndefined();
    expect(decode({ case: 'snapshotDeleted', value: { deletionId: '../x' } })).toEqual({
      journalSeq: 7n,
      message: undefined,
      reason: 'malformed',
    });
  });

  it('decodes phases by name and omits phases that only a newer agent knows', () => {
    const counts = { tablesDone: 1, tablesTotal: 2, bytesDone: 3n, bytesTotal: 4n };
    const bodyOf = (phase: number) => {
      const message = snapshot({ case: 'progress', value: { phase, counts } });
      return message?.pattern === 'snapshot' ? message.data.body : undefined;
    };
    const decoded = { tablesDone: 1, tablesTotal: 2, bytesDone: 3, bytesTotal: 4 };
    expect(bodyOf(2)).toEqual({ type: 'progress', phase: 'dumping', counts: decoded });
    expect(bodyOf(99)).toEqual({ type: 'progress', counts: decoded });
  });
});

it('decodes a pre-check response with a blocker, without one and of an unknown kind', () => {
  const decodeResponse = (value: object) =>
    decodePrecheckResponse(
      toBinary(
        AnswerSchema,
        create(AnswerSchema, { questionId: 'qst_1', answer: { case: 'restoreTarget', value } }),
      ),
    );
  expect(decodeResponse({})).toEqual({ precheckId: 'qst_1' });
  const obstacle = { code: FailureCode.TARGET_NOT_EMPTY, side: 2 };
  expect(decodeResponse({ obstacle })).toEqual({
    precheckId: 'qst_1',
    blocker: { code: 'target_not_empty', side: 'target' },
  });
  expect(
    decodePrecheckResponse(toBinary(AnswerSchema, create(AnswerSchema, { questionId: 'qst_1' }))),
  ).toBeUndefined();
});
