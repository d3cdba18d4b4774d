import { operations } from '../../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../../platform/http/operations/schemas.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import { ListSnapshotsQuery } from './list-snapshots.query.js';
import { AcceptedRestore, RestoreResponse } from '../restores/restore-response.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { ListedSnapshot, SnapshotResponse } from './snapshot-response.js';

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

export const SNAPSHOTS = operations('Snapshots', {
  listSnapshots: {
    method: 'GET',
    path: '/v1/snapshots',
    client: 'snapshots.list',
    summary: 'lists the snapshots',
    role: 'viewer',
    scope: 'snapshots:read',
    query: ListSnapshotsQuery,
    example: { query: { status: 'ready', per_page: 20 } },
    response: pageResponse('A page of snapshots, newest first.', 'snapshots', ListedSnapshot, LISTED_EXAMPLE),
  },
  createSnapshot: {
    method: 'POST',
    path: '/v1/snapshots',
    client: 'snapshots.create',
    summary: 'takes a snapshot of a database',
    description:
      'An agent creates the snapshot from one instant of the database, and stores it. No row reaches the control plane. The snapshot counts for the plan while it is `creating` or `ready`.',
    role: 'member',
    scope: 'snapshots:write',
    body: CreateSnapshotDto,
    example: {
      body: {
        name: 'before the migration',
        database: 'shop_staging',
        tables: ['customers', 'orders'],
        expires_in_days: 30,
      },
    },
    status: 201,
    location: '/v1/snapshots/:id',
    response: { description: 'The snapshot.', data: SnapshotResponse, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSnapshot: {
    method: 'GET',
    path: '/v1/snapshots/:id',
    client: 'snapshots.get',
    summary: 'shows a snapshot',
    role: 'viewer',
    scope: 'snapshots:read',
    resource: 'snapshot',
    response: { description: 'The snapshot.', data: SnapshotResponse, example: EXAMPLE },
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/v1/snapshots/:id',
    client: 'snapshots.delete',
    summary: 'deletes a snapshot',
    description:
      'A deleted snapshot cannot be restored and does not count for the plan. Waiting restores fail, and a running restore finishes first. A snapshot that is still being created is cancelled.',
    role: 'member',
    scope: 'snapshots:write',
    calls: 'always_served',
    resource: 'snapshot',
    response: deletedResponse('The snapshot is deleted.', LISTED_EXAMPLE.id),
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/v1/snapshots/:id/restore',
    client: 'snapshots.restore',
    summary: 'restores a snapshot into a database',
    description:
      'An agent first checks the target within 5 seconds. The response is 409 if the target contains tables and `overwrite` is false, or if the target is in use. It is 503 if no agent responds in time. In these cases nothing is changed. A restore that fails later does not change the target, either.',
    role: 'member',
    scope: 'snapshots:write',
    resource: 'snapshot',
    body: RestoreSnapshotDto,
    example: { body: { target_database: 'shop_review', overwrite: false } },
    status: 202,
    location: '/v1/snapshots/:id/restores/:restore_id',
    response: { description: 'The accepted restore.', data: AcceptedRestore, example: RESTORE_EXAMPLE },
    refusals: ['conflict'],
  },
  listSnapshotRestores: {
    method: 'GET',
    path: '/v1/snapshots/:id/restores',
    client: 'snapshots.listRestores',
    summary: 'lists the restores of a snapshot',
    role: 'viewer',
    scope: 'snapshots:read',
    resource: 'snapshot',
    query: PageQuery,
    response: pageResponse(
      'A page of restores, newest first.',
      'restores',
      RestoreResponse,
      ENDED_RESTORE_EXAMPLE,
    ),
  },
  getSnapshotRestore: {
    method: 'GET',
    path: '/v1/snapshots/:id/restores/:restore_id',
    client: 'snapshots.getRestore',
    summary: 'shows a restore',
    role: 'viewer',
    scope: 'snapshots:read',
    resource: 'snapshot',
    parts: { restore_id: 'snapshot_restore' },
    response: { description: 'The restore.', data: RestoreResponse, example: ENDED_RESTORE_EXAMPLE },
  },
});
