import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  EventSchema,
  FailureCode,
  RestoreEventSchema,
  SnapshotEventSchema,
  SyncJobEventSchema,
  SyncPhase,
  TableState,
  VerificationKind,
  type Event,
  type SyncJobEvent,
} from '../schema/index.js';

import { decodeEvent } from './event.js';

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

function wire(change: {
  event?: Event['event'];
  journalSeq?: bigint;
  $unknown?: Event['$unknown'];
}): Uint8Array {
  const { $unknown, ...fields } = change;
  const message = create(EventSchema, { journalSeq: 7n, occurredAt: timestampFromMs(1_000), ...fields });
  if ($unknown) message.$unknown = $unknown;
  return toBinary(EventSchema, message);
}

function bodyOf(bytes: Uint8Array): unknown {
  const { message } = decodeEvent(bytes);
  return message?.pattern === 'sync_job' ? message.data.body : undefined;
}

describe('decodeEvent', () => {
  it('translates the numeric codes of a failure to names', () => {
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
      message: {
        pattern: 'sync_job',
        data: {
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
      },
    });
  });

  it('decodes the problems of a failure and drops names that are longer than an identifier', () => {
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
          { ...problem('age'), constraint: { text: 'adult' } },
          { ...problem('age'), constraint: { text: 'x'.repeat(64) } },
          { code: FailureCode.PERMISSION_DENIED, side: 1, privilege },
          {
            code: FailureCode.STAGING_UNTRUSTED,
            object: { kind: 4, name: { text: 's' } },
            objectRole: { text: 'r' },
          },
        ],
        problemCount: 1,
      },
    } as unknown as SyncJobEvent['event']);
    const mismatch = { code: 'column_mismatch', tableIndex: 0, difference: 'extra' };
    expect(bodyOf(bytes)).toEqual({
      type: 'failed',
      failure: {
        code: 'column_mismatch',
        problems: [
          { ...mismatch, column: 'added' },
          mismatch,
          { ...mismatch, column: 'age', constraint: 'adult' },
          { ...mismatch, column: 'age' },
          {
            code: 'permission_denied',
            side: 'source',
            privilege: { privilege: 'usage', objectKind: 'schema', schema: 's', role: 'r' },
          },
          { code: 'staging_untrusted', object: { kind: 'schema', name: 's' }, objectRole: 'r' },
        ],
        problemCount: 6,
      },
    });
  });

  it('writes the hash of a trained model in hex, word by word', () => {
    const hash = { word0: 1n, word1: 0xffffffffffffffffn, word2: 0n, word3: 0x0123456789abcdefn };
    const bytes = encode({
      case: 'modelTrained',
      value: { tableIndex: 1, columnIndex: 2, hash },
    } as SyncJobEvent['event']);
    expect(bodyOf(bytes)).toEqual({
      type: 'model_trained',
      tableIndex: 1,
      columnIndex: 2,
      hash: '0000000000000001ffffffffffffffff00000000000000000123456789abcdef',
    });
  });

  it('decodes an unknown failure code as an internal failure', () => {
    const bytes = encode({ case: 'failed', value: { code: 9_999 } } as unknown as SyncJobEvent['event']);
    expect(bodyOf(bytes)).toEqual({ type: 'failed', failure: { code: 'internal' } });
  });

  it('limits counts to the largest safe integer', () => {
    const tables = [{ tableIndex: 0, rowsProcessed: 2n ** 63n, rowsTotal: 5n, state: TableState.COPYING }];
    const value = { tables, phase: SyncPhase.COPYING, rowsPerSecond: 2n ** 63n, remainingMs: 9n };
    const bytes = encode({ case: 'progress', value } as unknown as SyncJobEvent['event']);
    const known = { bytesProcessed: 0, bytesTotal: 0, state: 'copying' };
    expect(bodyOf(bytes)).toEqual({
      type: 'progress',
      tables: [{ tableIndex: 0, rowsProcessed: Number.MAX_SAFE_INTEGER, rowsTotal: 5, ...known }],
      phase: 'copying',
      rowsPerSecond: Number.MAX_SAFE_INTEGER,
      bytesPerSecond: 0,
      remainingMs: 9,
    });
  });

  it('omits an unknown phase and a missing remaining time from progress', () => {
    const bytes = encode({ case: 'progress', value: { phase: 99 } } as unknown as SyncJobEvent['event']);
    expect(bodyOf(bytes)).toEqual({
      type: 'progress',
      tables: [],
      rowsPerSecond: 0,
      bytesPerSecond: 0,
    });
  });

  it('decodes the verification checks of a failed and of a completed job by name', () => {
    const rows = { source: 3n, copied: 3n, target: 2n ** 63n };
    const checks = [
      { kind: VerificationKind.ROW_COUNT, tableIndex: 1, ok: false, rows },
      { kind: 99, tableIndex: 0, ok: true, lookedAt: 2, columnIndex: 4 },
    ];
    const expected = {
      checks: [
        {
          kind: 'row_count',
          tableIndex: 1,
          ok: false,
          lookedAt: 0,
          rows: { source: 3, copied: 3, target: Number.MAX_SAFE_INTEGER },
        },
        { kind: 'unknown', tableIndex: 0, ok: true, lookedAt: 2, columnIndex: 4 },
      ],
    };
    const failed = {
      case: 'failed',
      value: { code: FailureCode.VERIFICATION_FAILED, verification: { checks } },
    };
    expect(bodyOf(encode(failed as unknown as SyncJobEvent['event']))).toEqual({
      type: 'failed',
      failure: { code: 'verification_failed', verification: expected },
    });
    const phases = [
      { phase: SyncPhase.TRAINING, durationMs: 7n },
      { phase: 99, durationMs: 1n },
    ];
    const completed = { case: 'completed', value: { verification: { checks }, phases } };
    expect(bodyOf(encode(completed as unknown as SyncJobEvent['event']))).toMatchObject({
      phases: [{ phase: 'training', durationMs: 7 }],
      verification: expected,
    });
  });

  it('reports an event without a valid id or kind as malformed and keeps its journal number', () => {
    const malformed = { journalSeq: 7n, message: undefined, reason: 'malformed' };
    const started = { case: 'started', value: {} } as SyncJobEvent['event'];
    expect(decodeEvent(encode({ case: undefined }))).toEqual(malformed);
    expect(decodeEvent(encode(started, 'job 1; DROP'))).toEqual(malformed);
  });

  it.each([
    ['epoch', { epoch: 0 }],
    ['epoch', { epoch: 2 ** 31 }],
    ['seq', { seq: 0 }],
    ['seq', { seq: 2 ** 31 }],
    ['seq', { seq: 2 ** 32 - 1 }],
  ])('reports an event whose %s is out of the range of an integer column as malformed: %j', (_, change) => {
    const value = { epoch: 1, seq: 1, event: { case: 'started', value: {} } };
    for (const event of [
      { case: 'syncJob', value: { ...value, jobId: 'job_1', ...change } },
      { case: 'snapshot', value: { ...value, snapshotId: 'snap_1', ...change } },
      { case: 'restore', value: { ...value, restoreId: 'rst_1', ...change } },
    ] as Event['event'][]) {
      const reason = 'malformed';
      expect(decodeEvent(wire({ event }))).toEqual({ journalSeq: 7n, message: undefined, reason });
    }
  });

  it.each([0n, 2n ** 53n, 2n ** 64n - 1n])(
    'reports an event with the journal number %s as malformed and not acknowledgeable',
    (journalSeq) => {
      const event = {
        case: 'syncTargetCleared',
        value: { jobId: 'job_1' },
      } as Event['event'];
      const expected = { journalSeq: 0n, message: undefined, reason: 'malformed' };
      expect(decodeEvent(wire({ event, journalSeq }))).toEqual(expected);
    },
  );

  it('accepts the largest numbers that an integer column can hold', () => {
    const event = {
      case: 'syncJob',
      value: { jobId: 'job_1', epoch: 2 ** 31 - 1, seq: 2 ** 31 - 1, event: { case: 'started', value: {} } },
    } as Event['event'];
    const journalSeq = 2n ** 53n - 1n;
    expect(decodeEvent(wire({ event, journalSeq }))).toMatchObject({
      journalSeq,
      message: { data: { epoch: 2 ** 31 - 1, seq: 2 ** 31 - 1 } },
    });
  });

  it('reports an event of a newer agent as unknown, at the top level and in a job, a snapshot and a restore', () => {
    // Field 900 holds an empty message, as a field of a later version could.
    const later = { no: 900, wireType: 2, data: new Uint8Array([0]) };
    const events = [
      wire({ $unknown: [later] }),
      ...[
        { case: 'syncJob', value: create(SyncJobEventSchema, { jobId: 'job_1', epoch: 1, seq: 1 }) },
        { case: 'snapshot', value: create(SnapshotEventSchema, { snapshotId: 'snap_1', epoch: 1, seq: 1 }) },
        { case: 'restore', value: create(RestoreEventSchema, { restoreId: 'rst_1', epoch: 1, seq: 1 }) },
      ].map((event) => {
        event.value.$unknown = [later];
        return wire({ event: event as Event['event'] });
      }),
    ];
    const expected = { journalSeq: 7n, message: undefined, reason: 'unknown_event' };
    expect(events.map((bytes) => decodeEvent(bytes))).toEqual(events.map(() => expected));
  });

  it('reports bytes that are not protobuf as not_an_event', () => {
    expect(decodeEvent(new Uint8Array([255, 255, 255]))).toEqual({
      journalSeq: 0n,
      message: undefined,
      reason: 'not_an_event',
    });
  });
});
