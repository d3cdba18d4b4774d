import fc, { type Arbitrary } from 'fast-check';
import { MAX_KEPT_HOURS, MAX_TABLES_BYTES, type SqlName, UNLISTED_COLUMNS } from '@understudy/sync-job';

import {
  AGENT_CAPABILITIES,
  BY_URL,
  byName,
  decodeAcknowledgement,
  decodeCommand,
  decodeEvent,
  decodeHeartbeat,
  decodeHeartbeatReply,
  decodePrecheckResponse,
  decodeRestorePrecheck,
  encodeAcknowledgement,
  encodeCommand,
  encodeDeletion,
  encodeHeartbeat,
  encodeHeartbeatReply,
  encodeKeptDatabaseDropped,
  encodeModelErased,
  encodeReverted,
  encodePrecheckResponse,
  encodeRestoreEvent,
  encodeRestorePrecheck,
  encodeSnapshotEvent,
  encodeSyncJobEvent,
  encodeTargetCleanedUp,
  type AgentCommand,
  type AgentHeartbeat,
  type AgentOffer,
  type CommandDatabase,
  type RestorePrecheck,
  type SentRestoreReport,
  type SentSnapshotReport,
  type SnapshotFailure,
  type SyncJobReport,
} from '../../src/index.js';
import * as schema from '../../src/schema/index.js';

const id = fc.stringMatching(/^[A-Za-z0-9_]{1,64}$/);
const integer = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const index = fc.nat();
const count = fc.maxSafeNat();
const hash = (digits: number) => hexOf(fc.uint8Array({ minLength: digits / 2, maxLength: digits / 2 }));
const hexOf = (bytes: Arbitrary<Uint8Array>) => bytes.map((one) => Buffer.from(one).toString('hex'));
const instant = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true });
const sqlName = fc.stringMatching(/^[a-z é"]{1,30}$/) as Arbitrary<SqlName>;
const sqlstate = fc.stringMatching(/^[0-9A-Z]{4}[1-9A-Z]$/);

/** The lower-case names of a generated enum. */
function nameOf<E extends Readonly<Record<string, string | number>>>(generated: E) {
  const names = Object.keys(generated).filter((key) => typeof generated[key] === 'number');
  const known = names.filter((name) => name !== 'UNSPECIFIED').map((name) => name.toLowerCase());
  return fc.constantFrom(...(known as schema.EnumName<E>[]));
}

const lease = fc.record({ jobId: id, epoch: integer });
const roles = fc
  .record({
    total: fc.nat(1_000_000),
    source: fc.nat(),
    target: fc.nat(),
    snapshot: fc.nat(),
    restore: fc.nat(),
    replace: fc.nat(),
  })
  .map(({ total, ...counts }) => ({
    total,
    source: Math.min(counts.source, total),
    target: Math.min(counts.target, total),
    snapshot: Math.min(counts.snapshot, total),
    restore: Math.min(counts.restore, total),
    replace: Math.min(counts.replace, total),
  }));
const policy = fc.record({
  databases: roles,
  urls: roles,
  minSslmode: fc.option(nameOf(schema.SslMode)),
  allowPlaintext: fc.boolean(),
  neverPreserve: fc.nat(1_000_000),
  protectText: fc.boolean(),
  mayPreserve: fc.nat(1_000_000),
  rejectUnlisted: fc.boolean(),
  allowWhere: fc.boolean(),
  allowSourceCode: fc.option(fc.boolean()),
  allowSuperuserTarget: fc.option(fc.boolean()),
  allowTraining: fc.boolean(),
  minValuesFloor: fc.nat(1_000_000),
  snapshotMinAgeHours: fc.nat(8_760),
  keepReplacedHours: fc.nat(8_760),
  reportNames: fc.boolean(),
  allowSharedSchemas: fc.boolean(),
  allowSecurityDefiner: fc.boolean(),
  allowLargeObjects: fc.boolean(),
  allowForeignServers: fc.boolean(),
  allowEndSessions: fc.boolean(),
  maxDatabaseBytes: fc.option(fc.maxSafeNat()),
});
const key = fc.oneof(fc.constant(BY_URL), fc.stringMatching(/^[A-Za-z0-9_-]{1,63}$/).map(byName));
const offer: Arbitrary<AgentOffer> = fc.record(
  {
    labels: fc.array(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._=-]{0,62}$/), { maxLength: 16 }),
    maskingKey: hash(32),
    policies: fc.dictionary(key, hash(32), { maxKeys: 20 }),
    slots: fc.integer({ min: 1, max: 64 }),
    snapshotStoreKind: nameOf(schema.SnapshotStoreKind),
    policy,
    capabilities: fc.subarray([...AGENT_CAPABILITIES], { minLength: 1 }),
  },
  { requiredKeys: ['labels', 'maskingKey', 'policies'] },
);
const heartbeat: Arbitrary<AgentHeartbeat> = fc.record(
  {
    version: fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((parts) => parts.join('.')),
    leases: fc.array(
      fc.record(
        { jobId: id, epoch: integer, snapshotAgeSeconds: fc.nat(86_400) },
        { requiredKeys: ['jobId', 'epoch'] },
      ),
    ),
    freeSlots: fc.nat(64),
    snapshotStore: hash(32),
    offer,
  },
  { requiredKeys: ['version', 'leases', 'freeSlots'] },
);
const updates = fc.record({
  lostLeases: fc.array(lease),
  cancelledLeases: fc.array(lease),
  revoked: fc.boolean(),
});

const expected = fc.record({ policy: hash(32), maskingKey: hash(32) });
const database: Arbitrary<CommandDatabase> = fc.oneof(
  fc.record(
    { kind: fc.constant('agent' as const), name: fc.string(), offer: expected },
    { requiredKeys: ['kind', 'name'] },
  ),
  fc.record(
    {
      kind: fc.constant('sealed' as const),
      encapsulatedKey: fc.uint8Array(),
      ciphertext: fc.uint8Array(),
      offer: expected,
    },
    { requiredKeys: ['kind', 'encapsulatedKey', 'ciphertext'] },
  ),
);
const rule = fc.oneof(
  fc.constant({ preserve: true }),
  fc.record({ type: fc.constant('list'), values: fc.array(fc.oneof(fc.string(), fc.maxSafeInteger())) }),
);
const subset = fc.oneof(
  fc.record({ where: fc.string() }),
  fc.record({ limit: fc.nat() }),
  fc.record({ where: fc.string(), limit: fc.nat() }),
);
const unlisted = fc.constantFrom(...UNLISTED_COLUMNS);
const table = fc.record(
  {
    name: fc.string(),
    columns: fc.array(fc.record({ name: fc.string(), rule })),
    unlistedColumns: unlisted,
    subset,
    rows: fc.constant('none' as const),
  },
  { requiredKeys: ['name', 'columns'] },
);
const graceSeconds = fc.nat(86_400);
const syncJob = fc.record({
  jobId: id,
  epoch: integer,
  seed: fc.maxSafeInteger(),
  referenceInstantMs: instant.map((date) => date.getTime()),
  source: database,
  target: database,
  tables: fc.array(table),
  unlistedColumns: unlisted,
  acceptedAtMs: instant.map((date) => date.getTime()),
  dryRun: fc.boolean(),
  unlistedTables: nameOf(schema.UnlistedTables),
  ignoredTables: fc.array(fc.string()),
  refreshMaterializedViews: fc.boolean(),
  sourceCode: nameOf(schema.SourceCode),
  graceSeconds,
  hostedModels: fc.array(
    fc.record({
      id: fc.stringMatching(/^custom\/[A-Za-z0-9_.-]{1,128}$/),
      hash: hash(64),
      byteLength: fc.nat(32 * 1024 * 1024),
    }),
  ),
  fetchedTables: fc.option(fc.record({ hash: hash(64), byteLength: fc.nat(MAX_TABLES_BYTES) }), {
    nil: undefined,
  }),
  compositions: fc.array(
    fc.record({ use: fc.string(), definitionJson: fc.constant('{"values":[1]}'), hash: hash(64) }),
  ),
});
const precheck: Arbitrary<RestorePrecheck> = fc.record({
  restoreId: id,
  snapshotId: id,
  snapshotEpoch: integer,
  target: database,
  overwrite: fc.boolean(),
});
const command: Arbitrary<AgentCommand> = fc.oneof(
  syncJob.map((data) => ({ pattern: 'run_sync_job' as const, data })),
  fc
    .record({ id, name: fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/), requestedAt: instant })
    .map((data) => ({ pattern: 'erase_private_model' as const, data })),
  fc
    .record({
      snapshotId: id,
      epoch: integer,
      database,
      tables: fc.array(fc.string()),
      acceptedAt: instant,
      expiresAt: instant,
      graceSeconds,
    })
    .map((data) => ({ pattern: 'create_snapshot' as const, data })),
  fc
    .tuple(precheck, fc.record({ epoch: integer, manifestHash: hash(64), acceptedAt: instant, graceSeconds }))
    .map(([one, other]) => ({ pattern: 'restore_snapshot' as const, data: { ...one, ...other } })),
  fc
    .record({ id, snapshotId: id, beforeEpoch: index, store: hash(32) })
    .map((data) => ({ pattern: 'delete_snapshot' as const, data })),
  fc
    .record({ jobId: id, epoch: integer, target: database })
    .map((data) => ({ pattern: 'clear_sync_target' as const, data })),
  fc
    .record({ workId: id, changeId: id, target: database })
    .map((data) => ({ pattern: 'drop_kept_database' as const, data })),
  fc
    .record({
      ...{ revertId: id, attempt: integer, workId: id, lastChangeId: id, target: database },
      endSessions: fc.boolean(),
    })
    .map((data) => ({ pattern: 'revert_replacement' as const, data })),
);

const location = {
  side: nameOf(schema.DatabaseSide),
  tableIndex: index,
  columnIndex: index,
  constraintKind: nameOf(schema.ConstraintKind),
};
const typeOfColumn = fc.record({ name: sqlName, length: index }, { requiredKeys: [] });
const object = fc.record(
  { kind: nameOf(schema.NamedObjectKind), schema: sqlName, name: sqlName },
  { requiredKeys: ['kind'] },
);
const privilege = fc.record(
  {
    privilege: nameOf(schema.Privilege),
    objectKind: nameOf(schema.PrivilegeObject),
    schema: sqlName,
    object: sqlName,
    role: sqlName,
    owner: sqlName,
  },
  { requiredKeys: ['privilege', 'objectKind'] },
);
const problem = fc.record(
  {
    code: fc.constantFrom('column_mismatch' as const, 'not_a_table' as const),
    ...location,
    column: sqlName,
    constraint: sqlName,
    objectRole: sqlName,
    relationKind: nameOf(schema.RelationKind),
    locksPerTransaction: index,
    sessionsNeeded: index,
    sessionsHad: index,
    sessionLimit: nameOf(schema.SessionLimit),
    difference: nameOf(schema.ColumnDifference),
    sourceType: typeOfColumn,
    targetType: typeOfColumn,
    privilege,
    object,
    creating: object,
    table: fc.record({ schema: sqlName, name: sqlName }, { requiredKeys: [] }),
    ignoredTableIndex: index,
  },
  { requiredKeys: ['code'] },
);
const check = fc.record(
  {
    kind: fc.constantFrom('joins' as const, 'sequences' as const),
    tableIndex: index,
    ok: fc.boolean(),
    lookedAt: index,
    columnIndex: index,
  },
  { requiredKeys: ['kind', 'tableIndex', 'ok', 'lookedAt'] },
);
const verification = fc.record({ checks: fc.array(check) });
const failure = fc
  .record(
    {
      code: fc.constantFrom('internal' as const, 'rule_invalid' as const),
      ...location,
      sqlstate,
      verification,
    },
    { requiredKeys: ['code'] },
  )
  .chain((fields) =>
    fc.array(problem, { maxLength: 5 }).map((problems) => ({
      ...fields,
      ...(problems.length > 0 && { problems, problemCount: problems.length + 1 }),
    })),
  );
const progress = fc.array(
  fc.record({
    tableIndex: index,
    rowsProcessed: count,
    rowsTotal: count,
    bytesProcessed: count,
    bytesTotal: count,
    state: nameOf(schema.TableState),
  }),
);
const phase = nameOf(schema.SyncPhase);
const warnings = fc.array(
  fc.record(
    {
      ...{ code: nameOf(schema.WarningCode), tableIndex: index, columnIndex: index, count: index },
      ...{ constraint: sqlName, object },
    },
    { requiredKeys: ['code'] },
  ),
);
const leftOut = fc.record({
  tables: index,
  foreign_tables: index,
  views: index,
  materialized_views: index,
  functions: index,
  types: index,
  sequences: index,
  schemas: index,
  extensions: index,
});
const buildProgress = fc.record(
  {
    phase: nameOf(schema.BuildPhase),
    state: nameOf(schema.BuildState),
    ...{ done: count, total: count, remainingMs: count },
  },
  { requiredKeys: ['phase', 'state', 'done'] },
);
const report = fc.oneof(
  fc.constant({ type: 'started' as const }),
  fc.record(
    {
      type: fc.constant('progress' as const),
      tables: progress,
      phase,
      rowsPerSecond: count,
      bytesPerSecond: count,
      remainingMs: count,
      build: fc.array(buildProgress, { minLength: 1 }),
    },
    { requiredKeys: ['type', 'tables', 'phase', 'rowsPerSecond', 'bytesPerSecond'] },
  ),
  fc.record({
    type: fc.constant('model_trained' as const),
    tableIndex: index,
    columnIndex: index,
    hash: hash(64),
  }),
  fc.record(
    {
      type: fc.constant('completed' as const),
      tables: progress,
      durationMs: count,
      warnings,
      phases: fc.array(fc.record({ phase, durationMs: count })),
      verification,
      leftOut,
      keptHours: fc.nat({ max: MAX_KEPT_HOURS }),
    },
    { requiredKeys: ['type', 'tables', 'durationMs', 'warnings', 'phases', 'verification'] },
  ),
  fc.record({
    type: fc.constant('predicted' as const),
    prediction: fc.record(
      {
        failures: fc.array(failure, { maxLength: 3 }),
        failureCount: index,
        tables: fc.array(fc.record({ tableIndex: index, rows: count })),
        warnings,
        leftOut,
      },
      { requiredKeys: ['failures', 'failureCount', 'tables', 'warnings'] },
    ),
  }),
  fc.record({ type: fc.constant('failed' as const), failure }),
) as Arbitrary<SyncJobReport>;

const counts = fc.record({ tablesDone: index, tablesTotal: index, bytesDone: count, bytesTotal: count });
const snapshotFailure: Arbitrary<SnapshotFailure> = fc.record(
  {
    code: fc.constantFrom('snapshot_corrupt' as const, 'target_in_use' as const),
    side: location.side,
    tableIndex: index,
    constraintKind: location.constraintKind,
    sqlstate,
  },
  { requiredKeys: ['code'] },
);
const failed = fc.record({ type: fc.constant('failed' as const), failure: snapshotFailure });
const snapshotReport: Arbitrary<SentSnapshotReport> = fc.oneof(
  fc.constant({ type: 'started' as const }),
  fc.record({ type: fc.constant('progress' as const), phase: nameOf(schema.SnapshotPhase), counts }),
  fc.record({
    type: fc.constant('ready' as const),
    made: fc.record({
      sizeBytes: count,
      tableCount: index,
      tables: fc.array(fc.record({ schema: sqlName, name: sqlName })),
      durationMs: count,
      format: index,
      serverVersion: index,
      manifestHash: hash(64),
      store: hash(32),
    }),
  }),
  failed,
);
const restoreReport: Arbitrary<SentRestoreReport> = fc.oneof(
  fc.constant({ type: 'started' as const }),
  fc.record({ type: fc.constant('progress' as const), phase: nameOf(schema.RestorePhase), counts }),
  fc.record(
    {
      ...{ type: fc.constant('completed' as const), counts, durationMs: count },
      keptHours: fc.nat({ max: MAX_KEPT_HOURS }),
      isReplacedAgain: fc.constant(true),
    },
    { requiredKeys: ['type', 'counts', 'durationMs'] },
  ),
  failed,
);

/** Returns a law: the control plane decodes what an agent encodes. */
function roundTrip<T>(
  values: Arbitrary<T>,
  there: (value: T) => Uint8Array,
  back: (bytes: Uint8Array) => unknown,
) {
  fc.assert(fc.property(values, (value) => void expect(back(there(value))).toEqual(value)));
}

const dataOf = (bytes: Uint8Array) => decodeEvent(bytes).message?.data;
const bodyOf = (bytes: Uint8Array) => (dataOf(bytes) as { readonly body: unknown }).body;
const numbered = <Body>(body: Body) => {
  const lease = { jobId: 'job_1', epoch: 2 };
  return { lease, seq: 3, occurredAt: new Date(1_000), body };
};

describe('the other end decodes what one end encodes', () => {
  it('in a heartbeat and its reply', () => {
    roundTrip(heartbeat, (value) => encodeHeartbeat(value).bytes, decodeHeartbeat);
    roundTrip(updates, encodeHeartbeatReply, decodeHeartbeatReply);
  });

  it('in each kind of command', () => {
    roundTrip(command, (value) => encodeCommand('cmd_1', value), decodeCommand);
  });

  it('in a pre-check of a restore and its response', () => {
    const request = fc.record({ id, precheck });
    roundTrip(request, (value) => encodeRestorePrecheck(value.id, value.precheck), decodeRestorePrecheck);
    const response = fc.record(
      { precheckId: id, blocker: snapshotFailure },
      { requiredKeys: ['precheckId'] },
    );
    const encode = (value: { precheckId: string; blocker?: SnapshotFailure }) =>
      encodePrecheckResponse(value.precheckId, value.blocker).bytes;
    roundTrip(response, encode, decodePrecheckResponse);
  });

  it('in the numbers of an event and in its acknowledgement', () => {
    const event = fc.record({
      lease,
      seq: integer,
      occurredAt: instant,
      body: fc.constant({ type: 'started' as const }),
    });
    roundTrip(
      event,
      (value) => encodeSyncJobEvent(7, value).bytes,
      (bytes) => {
        const { jobId, epoch, ...rest } = dataOf(bytes) as { readonly jobId: string; readonly epoch: number };
        return { lease: { jobId, epoch }, ...rest };
      },
    );
    roundTrip(fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }), encodeAcknowledgement, (bytes) =>
      BigInt(decodeAcknowledgement(bytes)[0] ?? 0),
    );
  });

  it('in each report about a sync job', () => {
    roundTrip(report, (body) => encodeSyncJobEvent(7, numbered(body)).bytes, bodyOf);
  });

  it('in each report about a snapshot and a restore', () => {
    roundTrip(snapshotReport, (body) => encodeSnapshotEvent(7, numbered(body)).bytes, bodyOf);
    roundTrip(restoreReport, (body) => encodeRestoreEvent(7, numbered(body)).bytes, bodyOf);
  });

  it('in the results of commands that need no lease', () => {
    const at = new Date(1_000);
    roundTrip(id, (value) => encodeModelErased(7, value, at).bytes, dataOf);
    roundTrip(id, (value) => encodeTargetCleanedUp(7, value, at).bytes, dataOf);
    roundTrip(id, (value) => encodeDeletion(7, { deletionId: value, keptMs: 0 }, at).bytes, dataOf);
    const dropped = fc.record(
      { changeId: id, code: fc.constant('replace_denied' as const) },
      { requiredKeys: ['changeId'] },
    );
    roundTrip(dropped, (value) => encodeKeptDatabaseDropped(7, value, at).bytes, dataOf);
    const reverted = fc.record(
      { revertId: id, code: fc.constant('database_in_use' as const) },
      { requiredKeys: ['revertId'] },
    );
    roundTrip(reverted, (value) => encodeReverted(7, value, at).bytes, dataOf);
    const refusal = { deletionId: 'del_1', code: 'snapshot_too_young', retryAfterSeconds: 2 };
    expect(dataOf(encodeDeletion(7, { deletionId: 'del_1', keptMs: 1_001 }, at).bytes)).toEqual(refusal);
  });
});
