import { Type } from 'typebox';

import {
  schemaOf,
  type OperationDescription,
} from '../../../platform/http/operations/operation-description.js';
import {
  count,
  deletedResponse,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageResponse,
} from '../../../platform/http/operations/schemas.js';
import { AGENT_SELECTOR } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import { WORK_STATUSES } from '../../../agents/agent-work/leases/work-state.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import { ListSnapshotsQuery } from './list-snapshots.query.js';
import type { AcceptedRestore, RestoreResponse } from '../restores/restore-response.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { RESTORE_PHASES, SNAPSHOT_PHASES } from '../events/snapshot-progress.js';
import type { ListedSnapshot, SnapshotResponse } from './snapshot-response.js';
import { SNAPSHOT_STATUSES } from '../snapshot-status.js';

const LISTED_FIELDS = {
  id: id('snap', 'Id of the snapshot.'),
  name: Type.String(),
  database: Type.String({ description: 'Name of the database, never a URL.' }),
  status: oneOf(
    SNAPSHOT_STATUSES,
    'Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and is not found afterwards.',
  ),
  size_bytes: count('Stored size, after compression and encryption. 0 until the snapshot is ready.'),
  tables: Type.Array(Type.String(), {
    description:
      "The requested tables as written in the request. For a snapshot of all tables, the tables that it contains, after it is ready. The agent's policy can hide these names.",
  }),
  created_at: instant('When the request was accepted.'),
  expires_at: instant('When the snapshot expires and is erased.'),
};

const progressOf = <const Phases extends readonly string[]>(phases: Phases) =>
  Type.Object(
    {
      phase: nullable(
        oneOf(phases, 'The current phase of the work.'),
        'The current phase. Null while no agent works on it.',
      ),
      tables_done: count('Tables that are finished.'),
      tables_total: nullable(
        Type.Integer({ minimum: 0 }),
        'All tables. Null until the agent has counted them.',
      ),
      bytes_done: count('Bytes of rows that are finished, before compression.'),
      bytes_total: nullable(
        Type.Integer({ minimum: 0 }),
        'All bytes of rows, before compression. An estimate until the work is finished.',
      ),
    },
    { description: 'Progress of the current attempt, or of the last one.' },
  );

const WORK_FIELDS = {
  started_at: nullable(
    Type.String({ format: 'date-time' }),
    'When an agent first started the work; null before.',
  ),
  completed_at: nullable(
    Type.String({ format: 'date-time' }),
    'When the work ended, also if it failed; null before.',
  ),
  attempts: count('Number of attempts.'),
  agent: AGENT_SELECTOR,
  agent_id: nullableId('agt', 'The agent of the last attempt.'),
  error: nullable(
    Type.Object({ code: Type.String({ description: 'Stable error code.' }), message: Type.String() }),
    'Why the work failed; null unless it failed.',
  ),
};

const LISTED_SNAPSHOT = schemaOf<ListedSnapshot>('ListedSnapshot')(Type.Object(LISTED_FIELDS));

const SNAPSHOT = schemaOf<SnapshotResponse>('Snapshot')(
  Type.Object({
    ...LISTED_FIELDS,
    ...WORK_FIELDS,
    table_count: nullable(
      Type.Integer({ minimum: 0 }),
      'Number of tables in the snapshot; null until it is ready.',
    ),
    server_version: nullable(
      Type.Integer({ minimum: 0 }),
      "`server_version_num` of the source database's server. The snapshot cannot be restored into an older server.",
    ),
    progress: progressOf(SNAPSHOT_PHASES),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  }),
);

const RESTORE_FIELDS = {
  id: LISTED_FIELDS.id,
  restore_id: id('rst', 'Id of the restore.'),
  target_database: Type.String({ description: 'Name of the target database, never a URL.' }),
  status: oneOf(WORK_STATUSES, 'Status of the restore. It stays `running` during retries.'),
};

const ACCEPTED_RESTORE = schemaOf<AcceptedRestore>('AcceptedRestore')(Type.Object(RESTORE_FIELDS));

const RESTORE = schemaOf<RestoreResponse>('Restore')(
  Type.Object({
    ...RESTORE_FIELDS,
    ...WORK_FIELDS,
    overwrite: Type.Boolean(),
    progress: progressOf(RESTORE_PHASES),
    created_at: instant('When the request was accepted.'),
  }),
);

const LISTED_EXAMPLE = {
  id: 'snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  name: 'before the migration',
  database: 'shop_staging',
  status: 'ready',
  size_bytes: 18_874_368,
  tables: ['customers', 'orders'],
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-12-21T09:30:00.000Z',
} as const;

const WORK_EXAMPLE = {
  started_at: '2026-11-21T09:30:01.000Z',
  completed_at: '2026-11-21T09:30:14.000Z',
  attempts: 1,
  agent: null,
  agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  error: null,
};

const PROGRESS_EXAMPLE = {
  phase: null,
  tables_done: 2,
  tables_total: 2,
  bytes_done: 73_400_320,
  bytes_total: 73_400_320,
};

const EXAMPLE = {
  ...LISTED_EXAMPLE,
  ...WORK_EXAMPLE,
  table_count: 2,
  server_version: 170_006,
  progress: PROGRESS_EXAMPLE,
  warnings: [],
};

const RESTORE_EXAMPLE = {
  id: LISTED_EXAMPLE.id,
  restore_id: 'rst_01KAMT9B7F2M4D6Q9WJ3EVYX7R',
  target_database: 'shop_review',
  status: 'pending',
} as const;

const ENDED_RESTORE_EXAMPLE = {
  ...RESTORE_EXAMPLE,
  ...WORK_EXAMPLE,
  status: 'completed',
  overwrite: false,
  progress: PROGRESS_EXAMPLE,
  created_at: '2026-11-21T10:00:00.000Z',
} as const;

const TAG = 'Snapshots';

export const SNAPSHOT_DESCRIPTIONS = {
  listSnapshots: {
    tag: TAG,
    query: ListSnapshotsQuery,
    example: { query: { status: 'ready', per_page: 20 } },
    response: pageResponse(
      'A page of snapshots, newest first.',
      'snapshots',
      LISTED_SNAPSHOT,
      LISTED_EXAMPLE,
    ),
  },
  createSnapshot: {
    tag: TAG,
    description:
      'An agent creates the snapshot from one instant of the database, and stores it. No row reaches the control plane. The snapshot counts for the plan while it is `creating` or `ready`.',
    body: CreateSnapshotDto,
    example: {
      body: {
        name: 'before the migration',
        database: 'shop_staging',
        tables: ['customers', 'orders'],
        expires_in_days: 30,
      },
    },
    response: { description: 'The snapshot.', data: SNAPSHOT, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSnapshot: { tag: TAG, response: { description: 'The snapshot.', data: SNAPSHOT, example: EXAMPLE } },
  deleteSnapshot: {
    tag: TAG,
    description:
      'A deleted snapshot cannot be restored and does not count for the plan. Waiting restores fail, and a running restore finishes first. A snapshot that is still being created is cancelled.',
    response: deletedResponse('The snapshot is deleted.', LISTED_EXAMPLE.id),
  },
  restoreSnapshot: {
    tag: TAG,
    description:
      'An agent first checks the target within 5 seconds. The response is 409 if the target contains tables and `overwrite` is false, or if the target is in use. It is 503 if no agent responds in time. In these cases nothing is changed. A restore that fails later does not change the target, either.',
    body: RestoreSnapshotDto,
    example: { body: { target_database: 'shop_review', overwrite: false } },
    response: { description: 'The accepted restore.', data: ACCEPTED_RESTORE, example: RESTORE_EXAMPLE },
    refusals: ['conflict'],
  },
  listSnapshotRestores: {
    tag: TAG,
    query: PageQuery,
    response: pageResponse('A page of restores, newest first.', 'restores', RESTORE, ENDED_RESTORE_EXAMPLE),
  },
  getSnapshotRestore: {
    tag: TAG,
    response: { description: 'The restore.', data: RESTORE, example: ENDED_RESTORE_EXAMPLE },
  },
} satisfies Record<string, OperationDescription>;
