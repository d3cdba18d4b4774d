import {
  Bytes,
  columnsOf,
  Count,
  Duration,
  Menu,
  type Status,
  StatusBadge,
  type ValueColumn,
  Time,
} from '@understudy/ui';
import { Copy, Trash2 } from 'lucide-react';

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly rows: number;
  readonly bytes: number;
  readonly ms: number;
  readonly startedAt: string;
}

const HOSTILE = '<img src=x onerror=alert(1)> ' + 'a-very-long-name-'.repeat(12) + ' שלום';

/** Jobs in several states, one of them with a hostile name. */
export const JOBS: readonly Job[] = [
  {
    id: 'job_01',
    name: 'nightly-copy',
    status: 'running',
    rows: 12_304_112,
    bytes: 9.2e9,
    ms: 254_000,
    startedAt: '2026-11-25T21:00:00Z',
  },
  {
    id: 'job_02',
    name: 'staging-refresh',
    status: 'succeeded',
    rows: 88_120,
    bytes: 4.1e7,
    ms: 9_120,
    startedAt: '2026-11-24T04:00:00Z',
  },
  {
    id: 'job_03',
    name: 'billing-subset',
    status: 'failed',
    rows: 0,
    bytes: 0,
    ms: 812,
    startedAt: '2026-10-02T11:31:00Z',
  },
  {
    id: 'job_04',
    name: HOSTILE,
    status: 'waiting',
    rows: 0,
    bytes: 0,
    ms: 0,
    startedAt: '2026-11-25T22:00:00Z',
  },
];

const HEADERS = {
  name: 'Name',
  status: 'Status',
  rows: 'Rows',
  bytes: 'Size',
  ms: 'Duration',
  started: 'Started',
  menu: 'Actions',
};

export const COLUMNS = columnsOf<Job>()(HEADERS, {
  name: { sort: true, cell: (job) => <bdi>{job.name}</bdi> },
  status: { width: '9rem', cell: (job) => <StatusBadge status={job.status} label={LABELS[job.status]} /> },
  rows: { align: 'end', width: '8rem', sort: true, cell: (job) => <Count count={job.rows} /> },
  bytes: { align: 'end', width: '7rem', hideBelow: 'md', cell: (job) => <Bytes bytes={job.bytes} /> },
  ms: { align: 'end', width: '8rem', hideBelow: 'lg', cell: (job) => <Duration ms={job.ms} /> },
  started: { width: '10rem', sort: true, cell: (job) => <Time iso={job.startedAt} format="relative" /> },
  menu: {
    headerHidden: true,
    width: '4rem',
    align: 'end',
    cell: (job) => (
      <Menu
        label={`Actions for ${job.id}`}
        size="small"
        items={[
          { label: 'Clone', icon: <Copy aria-hidden /> },
          { label: 'Run again', disabled: true },
          'separator',
          { label: 'Cancel job', icon: <Trash2 aria-hidden />, danger: true },
        ]}
      />
    ),
  },
});

export const RECORD_COLUMNS: readonly ValueColumn<number>[] = [
  'id',
  'first',
  'last',
  'email',
  'age',
  'plan',
].map((field) => ({
  id: field,
  header: field,
  cell: (row) => <code className="font-mono text-sm">{`${field}-${row}`}</code>,
}));

export const LABELS: Record<Status, string> = {
  waiting: 'Pending',
  running: 'Running',
  succeeded: 'Completed',
  warning: 'Completed with warnings',
  failed: 'Failed',
  cancelled: 'Cancelled',
  inactive: 'Offline',
};
