import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../../api-description/operation-description.js';
import {
  count,
  deletedAnswer,
  id,
  instant,
  nullable,
  nullableId,
  oneOf,
  pageAnswer,
} from '../../api-description/schemas.js';
import { AGENT_SELECTOR } from '../../agent-work/choice/agent-selector.dto.js';
import { WORK_STATUSES } from '../../agent-work/leases/work-state.js';
import { PageQuery } from '../../http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import type { AcceptedRestore, RestoreResponse } from '../restores/restore-response.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { RESTORE_PHASES, SNAPSHOT_PHASES } from '../events/snapshot-progress.js';
import type { ListedSnapshot, SnapshotResponse } from './snapshot-response.js';
import { SNAPSHOT_STATUSES } from '../snapshot-status.js';

const LISTED_FIELDS = {
  id: id('snap', 'Id of the snapshot.'),
  name: Type.String(),
  database: Type.String({ description: 'Its name, never a URL.' }),
  status: oneOf(
    SNAPSHOT_STATUSES,
    'What is `ready` can be restored. `deleting` until an agent has erased it, then it is gone.',
  ),
  size_bytes: count('As it is stored: compressed and encrypted. 0 until it is ready.'),
  tables: Type.Array(Type.String(), {
    description:
      'Those asked for, as they were asked for. Of a snapshot of all tables: those it holds, once it is ready, unless the policy of the agent keeps names to itself.',
  }),
  created_at: instant('When it was accepted.'),
  expires_at: instant('When it is erased.'),
};

const progressOf = <const Phases extends readonly string[]>(phases: Phases) =>
  Type.Object(
    {
      phase: nullable(oneOf(phases, 'What the agent does now.'), 'Null while nobody works on it.'),
      tables_done: count('Tables that are through.'),
      tables_total: nullable(Type.Integer({ minimum: 0 }), 'Null until the agent has looked.'),
      bytes_done: count("Of the tables' rows, before compression."),
      bytes_total: nullable(Type.Integer({ minimum: 0 }), 'An estimate until all is through.'),
    },
    { description: 'Of the attempt under way, or of the last one.' },
  );

const WORK_FIELDS = {
  started_at: nullable(Type.String({ format: 'date-time' }), 'Null until an agent has begun.'),
  completed_at: nullable(Type.String({ format: 'date-time' }), 'When it ended, also when it failed.'),
  attempts: count('How often an agent took it.'),
  agent: AGENT_SELECTOR,
  agent_id: nullableId('agt', 'The agent that took it last.'),
  error: nullable(
    Type.Object({ code: Type.String({ description: 'Stable.' }), message: Type.String() }),
    'Why it failed; null otherwise.',
  ),
};

const LISTED_SNAPSHOT = schemaOf<ListedSnapshot>('ListedSnapshot')(Type.Object(LISTED_FIELDS));

const SNAPSHOT = schemaOf<SnapshotResponse>('Snapshot')(
  Type.Object({
    ...LISTED_FIELDS,
    ...WORK_FIELDS,
    table_count: nullable(Type.Integer({ minimum: 0 }), 'How many tables it holds; null until it is ready.'),
    server_version: nullable(
      Type.Integer({ minimum: 0 }),
      '`server_version_num` of the database it was taken from: an older server cannot take it.',
    ),
    progress: progressOf(SNAPSHOT_PHASES),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  }),
);

const RESTORE_FIELDS = {
  id: LISTED_FIELDS.id,
  restore_id: id('rst', 'Id of the restore.'),
  target_database: Type.String({ description: 'Its name, never a URL.' }),
  status: oneOf(WORK_STATUSES, 'Retries happen inside `running`.'),
};

const ACCEPTED_RESTORE = schemaOf<AcceptedRestore>('AcceptedRestore')(Type.Object(RESTORE_FIELDS));

const RESTORE = schemaOf<RestoreResponse>('Restore')(
  Type.Object({
    ...RESTORE_FIELDS,
    ...WORK_FIELDS,
    overwrite: Type.Boolean(),
    progress: progressOf(RESTORE_PHASES),
    created_at: instant('When it was accepted.'),
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

const TAG = 'Snapshots';

export const SNAPSHOT_DESCRIPTIONS = {
  listSnapshots: {
    tag: TAG,
    query: PageQuery,
    example: { query: { per_page: 20 } },
    answer: pageAnswer('One page of snapshots, newest first.', 'snapshots', LISTED_SNAPSHOT, LISTED_EXAMPLE),
  },
  createSnapshot: {
    tag: TAG,
    description:
      'An agent takes it as of one instant, and keeps it: nothing of it comes here. It counts for the plan while it is `creating` or `ready`.',
    body: CreateSnapshotDto,
    example: {
      body: {
        name: 'before the migration',
        database: 'shop_staging',
        tables: ['customers', 'orders'],
        expires_in_days: 30,
      },
    },
    answer: { says: 'The snapshot.', data: SNAPSHOT, example: EXAMPLE },
    refusals: ['conflict'],
  },
  getSnapshot: { tag: TAG, answer: { says: 'The snapshot.', data: SNAPSHOT, example: EXAMPLE } },
  deleteSnapshot: {
    tag: TAG,
    description:
      'From here on it is not restored and counts for nothing. Restores that no agent has begun end as failed; one under way is finished first. One that is still being made is cancelled.',
    answer: deletedAnswer('It is deleted.', LISTED_EXAMPLE.id),
  },
  restoreSnapshot: {
    tag: TAG,
    description:
      'An agent is asked first whether the target can take it, and has 5 seconds to answer: a target that holds tables is refused with 409 unless `overwrite` is set, and so is one in use; no answer is 503. Nothing is touched then. A restore that fails later leaves the target as it was, too.',
    body: RestoreSnapshotDto,
    example: { body: { target_database: 'shop_review', overwrite: false } },
    answer: { says: 'The restore is on its way.', data: ACCEPTED_RESTORE, example: RESTORE_EXAMPLE },
    refusals: ['conflict'],
  },
  getSnapshotRestore: {
    tag: TAG,
    answer: {
      says: 'The restore.',
      data: RESTORE,
      example: {
        ...RESTORE_EXAMPLE,
        ...WORK_EXAMPLE,
        status: 'completed',
        overwrite: false,
        progress: PROGRESS_EXAMPLE,
        created_at: '2026-11-21T10:00:00.000Z',
      },
    },
  },
} satisfies Record<string, OperationDescription>;
