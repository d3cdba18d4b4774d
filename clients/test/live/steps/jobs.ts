import { CUSTOMERS } from '@understudy/testing';

import {
  ALL_PAGES,
  at,
  DELETED,
  filter,
  NOT_FOUND,
  PAGE,
  send,
  type Step,
  type StepResult,
} from '../step.js';
import { verify } from './verify.js';

const database = (name: string): StepResult => ({ type: 'postgresql', connection_string: `agent:${name}` });

/** Returns the request for a copy of one table. */
export const copyOf = (name: string, table: string, columns: StepResult = {}): StepResult => ({
  ...{ name, source: database('shop'), target: database('copy') },
  tables: [{ name: table, columns }],
  ...{ seed: 7, now: '2026-01-01T00:00:00.000Z' },
});

const EMAIL = { generator: 'template', pattern: '{{uuid}}@example.test' };
const MASKED = { ...copyOf('masked', 'customers', { email: EMAIL }), orphans: 'skip' };

/** A masked copy from the request to the deletion, and a copy that fails. */
export const JOBS: readonly Step[] = [
  {
    call: 'jobs.create',
    title: 'accepts a masked copy',
    request: send(MASKED),
    inProgress: true,
    response: { result: { name: 'masked', tables: ['customers'], dry_run: false } },
  },
  {
    call: 'jobs.wait',
    title: 'returns the completed copy, and reports progress',
    request: at('jobs.create'),
    response: {
      result: { status: 'completed', rows_processed: CUSTOMERS, verification: { ok: true }, error: null },
      progress: expect.arrayContaining(['completed']),
    },
  },
  {
    call: 'jobs.get',
    title: 'returns the job',
    request: at('jobs.create'),
    response: {
      result: { table_progress: [{ name: 'customers', status: 'completed', rows_processed: CUSTOMERS }] },
    },
  },
  {
    call: 'jobs.getStoredData',
    title: 'returns what is stored about the job',
    request: at('jobs.create'),
    response: {
      result: {
        facts: expect.arrayContaining([
          expect.objectContaining({ path: 'name', origin: 'request', values: ['masked'] }),
        ]),
      },
    },
  },
  {
    call: 'jobs.get',
    title: 'returns the job without its tables, and its attempt',
    as: 'small',
    request: at('jobs.create', { query: { tables: 'none' } }),
    response: {
      result: {
        ...{ tables: [], table_count: 1, table_counts: expect.objectContaining({ completed: 1 }) },
        attempt_history: [expect.objectContaining({ number: 1, outcome: 'completed', error_code: null })],
      },
    },
  },
  {
    call: 'jobs.getDefinition',
    title: 'returns the request of the job',
    request: at('jobs.create'),
    response: {
      result: {
        definition: { ...MASKED, unlisted_columns: 'preserve', dry_run: false },
        withheld: [],
      },
    },
  },
  {
    call: 'jobs.listTables',
    title: 'returns the tables that changed after a revision',
    request: at('jobs.create', { query: { changed_since: 0, status: 'completed' } }),
    response: {
      result: {
        tables: [{ position: 0, name: 'customers', status: 'completed', rows_processed: CUSTOMERS }],
        ...{ revision: expect.any(Number), total: 1 },
      },
    },
  },
  {
    call: 'jobs.list',
    title: PAGE,
    request: filter({
      ...{ status: 'completed,failed', name: 'ASK', sort: '-name' },
      created_after: '2026-01-01',
    }),
    response: {
      result: {
        jobs: [
          {
            ...{ name: 'masked', tables: ['customers'], progress: null, error_code: null },
            agent_id: expect.stringMatching(/^agt_/),
          },
        ],
        total: 1,
      },
    },
  },
  { call: 'jobs.iterate', title: ALL_PAGES, response: { result: [{ name: 'masked' }] } },
  {
    call: 'jobs.release',
    title: 'is refused if no agent holds the job',
    request: at('jobs.create'),
    response: {
      error: { class: 'ConflictError', status: 409, code: 'conflict', idempotency_key: expect.any(String) },
    },
  },
  {
    call: 'jobs.delete',
    title: 'deletes a job that has ended',
    request: at('jobs.create'),
    response: { result: { deleted: true, cancelled: false } },
  },
  { call: 'jobs.get', title: 'does not find a deleted job', request: at('jobs.create'), response: NOT_FOUND },
  {
    call: 'jobs.create',
    title: 'accepts a copy of a table that does not exist',
    as: 'impossible',
    request: send(copyOf('impossible', 'nothing')),
    inProgress: true,
    response: { result: { name: 'impossible', tables: ['nothing'] } },
  },
  {
    call: 'jobs.wait',
    title: 'throws an error with the job that has failed',
    request: at('impossible'),
    response: {
      error: {
        class: 'JobFailedError',
        code: 'table_not_found',
        job: expect.objectContaining({ name: 'impossible', status: 'failed' }),
      },
    },
  },
];

const PRESERVE = { preserve: true };

/** A masked copy of the whole source. One table has rules, and the other one a list of columns. */
const WHOLE_COPY = {
  ...copyOf('replacement', 'customers'),
  target: database('staging'),
  ...{ replace: 'database', drop_target_only: true },
  tables: [
    { name: 'customers', columns: { id: PRESERVE, name: PRESERVE, email: EMAIL } },
    { name: 'stock', rows: 'preserve', columns: ['id'] },
  ],
};

/** A job that replaces a database, its revert, which is reported to a webhook, and a job that is repeated. */
export const REPLACEMENT: readonly Step[] = [
  {
    call: 'webhooks.create',
    title: 'creates a webhook for reverts',
    as: 'reverts',
    request: (seen) => ({ body: { url: seen.receiver, events: ['sync.reverted'] } }),
    response: { result: { events: ['sync.reverted'] } },
  },
  {
    call: 'jobs.create',
    title: 'accepts a job that replaces a database',
    as: 'replacement',
    request: send(WHOLE_COPY),
    inProgress: true,
    response: { result: { name: 'replacement', tables: ['customers', 'stock'], replaced: null } },
  },
  {
    call: 'jobs.wait',
    title: 'returns the job with the time until when it keeps the replaced database',
    request: at('replacement'),
    response: {
      result: {
        ...{ status: 'completed', verification: { ok: true }, error: null },
        replaced: { kept_until: expect.any(String), reverted_at: null, last_revert: null },
      },
    },
  },
  {
    call: 'jobs.revert',
    title: 'accepts a revert',
    request: at('replacement'),
    response: { result: { revert_id: expect.stringMatching(/^rvt_/), status: 'pending' } },
  },
  {
    call: 'jobs.getRevert',
    title: 'returns the revert when it has ended',
    request: (seen) => ({ path: [seen.text('replacement'), seen.text('jobs.revert', 'revert_id')] }),
    until: ({ status }) => status !== 'pending',
    response: { result: { status: 'completed', ended_at: expect.any(String), error: null } },
  },
  {
    call: 'jobs.get',
    title: 'returns the job with the time of its revert',
    request: at('replacement'),
    response: {
      result: {
        status: 'completed',
        replaced: { reverted_at: expect.any(String), last_revert: { status: 'completed', error: null } },
      },
    },
  },
  {
    call: 'webhooks.listDeliveries',
    title: 'returns the delivery of the revert',
    as: 'revertDeliveries',
    request: at('reverts', { query: { status: 'delivered' } }),
    until: ({ total }) => total === 1,
    response: { result: { deliveries: [{ event: 'sync.reverted' }], total: 1 } },
  },
  {
    call: 'webhooks.verify',
    title: 'accepts the event of the revert',
    request: verify(
      (seen) => seen.text('revertDeliveries', 'deliveries.0.event_id'),
      (seen) => seen.text('reverts', 'secret'),
    ),
    response: {
      result: {
        event: 'sync.reverted',
        data: { name: 'replacement', revert_id: expect.stringMatching(/^rvt_/) },
      },
    },
  },
  {
    call: 'jobs.revert',
    title: 'is refused for a job that has replaced nothing',
    as: 'refusedRevert',
    request: at('impossible'),
    response: {
      error: {
        ...{ class: 'ConflictError', status: 409, code: 'conflict' },
        message: expect.stringContaining('has replaced nothing'),
      },
    },
  },
  {
    call: 'jobs.runAgain',
    title: 'repeats a job',
    request: at('impossible'),
    inProgress: true,
    response: { result: { name: 'impossible', run_of: expect.stringMatching(/^job_/), seed: 7 } },
  },
  {
    call: 'jobs.wait',
    title: 'throws the error of the repeated job',
    request: at('jobs.runAgain'),
    response: { error: { class: 'JobFailedError', code: 'table_not_found' } },
  },
];

/** A snapshot, and its restore into another database. */
export const SNAPSHOTS: readonly Step[] = [
  {
    call: 'snapshots.create',
    title: 'accepts a snapshot',
    request: send({ name: 'nightly', database: 'agent:shop', tables: ['customers'], expires_in_days: 7 }),
    inProgress: true,
    response: { result: { name: 'nightly', database: 'shop', tables: ['customers'] } },
  },
  {
    call: 'snapshots.get',
    title: 'returns the snapshot when it is ready',
    request: at('snapshots.create'),
    until: ({ status }) => status !== 'creating',
    response: { result: { status: 'ready', tables: ['customers'], error: null } },
  },
  {
    call: 'snapshots.list',
    title: PAGE,
    response: { result: { snapshots: [{ name: 'nightly', status: 'ready' }], total: 1 } },
  },
  { call: 'snapshots.iterate', title: ALL_PAGES, response: { result: [{ name: 'nightly' }] } },
  {
    call: 'snapshots.restore',
    title: 'accepts a restore',
    request: at('snapshots.create', { body: { target_database: 'agent:review' } }),
    response: { result: { status: 'pending' } },
  },
  {
    call: 'snapshots.getRestore',
    title: 'returns the restore when it has ended',
    request: (seen) => ({
      path: [seen.text('snapshots.create'), seen.text('snapshots.restore', 'restore_id')],
    }),
    until: ({ status }) => status === 'completed' || status === 'failed',
    response: { result: { status: 'completed', overwrite: false, error: null } },
  },
  {
    call: 'snapshots.listRestores',
    title: PAGE,
    request: at('snapshots.create'),
    response: { result: { restores: [{ target_database: 'review', status: 'completed' }], total: 1 } },
  },
  {
    call: 'snapshots.iterateRestores',
    title: ALL_PAGES,
    request: at('snapshots.create'),
    response: { result: [{ target_database: 'review' }] },
  },
  {
    call: 'snapshots.list',
    title: 'returns the snapshots that match a status and a part of the name, without their tables',
    request: filter({ status: 'ready', name: 'NIGHT', tables: 'none' }),
    response: { result: { snapshots: [{ name: 'nightly', tables: [] }], total: 1 } },
  },
  {
    call: 'snapshots.delete',
    title: 'deletes the snapshot',
    request: at('snapshots.create'),
    response: DELETED,
  },
];

/** A copy of a table that the test locks. */
export const HELD_JOB: readonly Step[] = [
  {
    call: 'jobs.create',
    title: 'accepts a copy that an agent begins and does not end',
    as: 'held',
    request: send(copyOf('held', 'stock')),
    inProgress: true,
    response: { result: { name: 'held', tables: ['stock'] } },
  },
];

/** The end of that job, after its agent has been killed. */
export const LOST_JOB: readonly Step[] = [
  {
    call: 'jobs.delete',
    title: 'records a cancel request for a job that an agent holds',
    request: at('held'),
    response: { result: { status: 'running', cancelled: true, deleted: false } },
  },
  {
    call: 'jobs.release',
    title: 'ends the cancelled job of a lost agent',
    request: at('held'),
    response: { result: { name: 'held', status: 'failed', error: { code: 'cancelled' } } },
  },
  {
    call: 'jobs.wait',
    title: 'throws an error with the job that was cancelled',
    request: at('held'),
    response: { error: { class: 'JobFailedError', code: 'cancelled' } },
  },
];
