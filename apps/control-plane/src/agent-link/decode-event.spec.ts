import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { EventSchema, FailureCode, TableState, type SyncJobEvent } from '@understudy/contract';

import { decodeEvent } from './decode-event.js';

function encode(event: SyncJobEvent['event'], jobId = 'job_1'): Uint8Array {
  return toBinary(
    EventSchema,
    create(EventSchema, {
      journalSeq: 7n,
      occurredAt: timestampFromMs(1_000),
      event: { case: 'syncJob', value: { jobId, epoch: 2, seq: 3, event } },
    }),
  );
}

describe('an event', () => {
  it('of a failure has names for its numbers', () => {
    const bytes = encode({
      case: 'failed',
      value: {
        code: FailureCode.CONSTRAINT_VIOLATION,
        side: 2,
        tableIndex: 0,
        constraintKind: 2,
        sqlstate: parseInt('23505', 36),
      },
    } as SyncJobEvent['event']);
    expect(decodeEvent(bytes)).toEqual({
      journalSeq: 7n,
      event: {
        jobId: 'job_1',
        epoch: 2,
        seq: 3,
        occurredAt: new Date(1_000),
        body: {
          type: 'failed',
          failure: {
            code: 'constraint_violation',
            side: 'target',
            tableIndex: 0,
            constraintKind: 'unique',
            sqlstate: '23505',
          },
        },
      },
    });
  });

  it('of a failure has its problems, without names longer than an identifier', () => {
    const problem = (text: string) => ({
      code: FailureCode.COLUMN_MISMATCH,
      tableIndex: 0,
      column: { text },
      difference: 2,
    });
    const privilege = { privilege: 5, objectKind: 2, schema: { text: 's' }, role: { text: 'r' } };
    const bytes = encode({
      case: 'failed',
      value: {
        code: FailureCode.COLUMN_MISMATCH,
        problems: [
          problem('added'),
          problem('x'.repeat(64)),
          { code: FailureCode.PERMISSION_DENIED, side: 1, privilege },
        ],
        problemCount: 1,
      },
    } as unknown as SyncJobEvent['event']);
    const mismatch = { code: 'column_mismatch', tableIndex: 0, difference: 'extra' };
    expect(decodeEvent(bytes).event?.body).toEqual({
      type: 'failed',
      failure: {
        code: 'column_mismatch',
        problems: [
          { ...mismatch, column: 'added' },
          mismatch,
          {
            code: 'permission_denied',
            side: 'source',
            privilege: { privilege: 'usage', objectKind: 'schema', schema: 's', role: 'r' },
          },
        ],
        problemCount: 3,
      },
    });
  });

  it('of a model has its hash in hex, word by word', () => {
    const hash = { word0: 1n, word1: 0xffffffffffffffffn, word2: 0n, word3: 0x0123456789abcdefn };
    const bytes = encode({
      case: 'modelTrained',
      value: { tableIndex: 1, columnIndex: 2, hash },
    } as SyncJobEvent['event']);
    expect(decodeEvent(bytes).event?.body).toEqual({
      type: 'model_trained',
      tableIndex: 1,
      columnIndex: 2,
      hash: '0000000000000001ffffffffffffffff00000000000000000123456789abcdef',
    });
  });

  it('with a code this side does not know is an internal failure', () => {
    const bytes = encode({ case: 'failed', value: { code: 9_999 } } as unknown as SyncJobEvent['event']);
    expect(decodeEvent(bytes).event?.body).toEqual({ type: 'failed', failure: { code: 'internal' } });
  });

  it('keeps counts safe', () => {
    const tables = [{ tableIndex: 0, rowsProcessed: 2n ** 63n, rowsTotal: 5n, state: TableState.COPYING }];
    const bytes = encode({ case: 'progress', value: { tables } } as unknown as SyncJobEvent['event']);
    expect(decodeEvent(bytes).event?.body).toEqual({
      type: 'progress',
      tables: [{ tableIndex: 0, rowsProcessed: Number.MAX_SAFE_INTEGER, rowsTotal: 5, state: 'copying' }],
    });
  });

  it('of a kind this side does not know keeps its journal number, to be acknowledged', () => {
    expect(decodeEvent(encode({ case: undefined }))).toEqual({ journalSeq: 7n, event: undefined });
    expect(
      decodeEvent(encode({ case: 'started', value: {} } as SyncJobEvent['event'], 'job 1; DROP')),
    ).toEqual({
      journalSeq: 7n,
      event: undefined,
    });
  });

  it('that is no protobuf is nothing', () => {
    expect(decodeEvent(new Uint8Array([255, 255, 255]))).toEqual({ journalSeq: 0n, event: undefined });
  });
});
