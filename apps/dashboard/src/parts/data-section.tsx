import {
  Badge,
  Button,
  Bytes,
  Card,
  Count,
  Duration,
  EmptyState,
  KeyValues,
  Menu,
  Section,
  Stat,
  type Status,
  StatusBadge,
  Table,
  type TableColumn,
  type TableSort,
  Time,
} from '@understudy/ui';
import { Copy, Database, Trash2 } from 'lucide-react';
import { useState } from 'react';

import { Example } from './example.js';

interface Job {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly rows: number;
  readonly bytes: number;
  readonly ms: number;
  readonly startedAt: string;
}

const HOSTILE = '<img src=x onerror=alert(1)> ' + 'a-very-long-name-'.repeat(12) + ' שלום';

const JOBS: readonly Job[] = [
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

const COLUMNS: readonly TableColumn<Job>[] = [
  { id: 'name', header: 'Name', sort: true, cell: (job) => <bdi>{job.name}</bdi> },
  {
    id: 'status',
    header: 'Status',
    width: '9rem',
    cell: (job) => <StatusBadge status={job.status} label={LABELS[job.status]} />,
  },
  {
    id: 'rows',
    header: 'Rows',
    align: 'end',
    width: '8rem',
    sort: true,
    cell: (job) => <Count count={job.rows} />,
  },
  {
    id: 'bytes',
    header: 'Size',
    align: 'end',
    width: '7rem',
    hideBelow: 'md',
    cell: (job) => <Bytes bytes={job.bytes} />,
  },
  {
    id: 'ms',
    header: 'Duration',
    align: 'end',
    width: '8rem',
    hideBelow: 'lg',
    cell: (job) => <Duration ms={job.ms} />,
  },
  {
    id: 'started',
    header: 'Started',
    width: '10rem',
    sort: true,
    cell: (job) => <Time iso={job.startedAt} format="relative" />,
  },
  {
    id: 'menu',
    header: 'Actions',
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
];

const LABELS: Record<Status, string> = {
  waiting: 'Pending',
  running: 'Running',
  succeeded: 'Completed',
  warning: 'Completed with warnings',
  failed: 'Failed',
  cancelled: 'Cancelled',
  inactive: 'Offline',
};

/** Tables, badges and figures. */
export function DataSection() {
  const [sort, setSort] = useState<TableSort>({ id: 'started', direction: 'desc' });
  return (
    <Section title="Data" text="Tables become cards where there is no room for columns.">
      <Example label="Badges">
        <Badge>owner</Badge>
        <Badge tone="accent">new</Badge>
        <Badge tone="info">read</Badge>
        <Badge tone="success">verified</Badge>
        <Badge tone="warning">expires soon</Badge>
        <Badge tone="danger">revoked</Badge>
      </Example>
      <Example label="Statuses">
        {Object.entries(LABELS).map(([status, label]) => (
          <StatusBadge key={status} status={status as Status} label={label} />
        ))}
      </Example>
      <Card flush>
        <Table
          caption="Jobs"
          columns={COLUMNS}
          rows={JOBS}
          rowKey={(job) => job.id}
          rowLink={() => <a href="#parts" />}
          sort={sort}
          onSort={setSort}
        />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title="Job" actions={<Button size="small">Clone</Button>}>
          <KeyValues
            items={[
              { label: 'Agent', value: 'agent-berlin' },
              { label: 'Started', value: <Time iso="2026-11-25T21:00:00Z" /> },
              { label: 'Rows copied', value: <Count count={12_304_112} /> },
              { label: 'Ended', value: undefined },
            ]}
          />
        </Card>
        <Card title="Usage" text="This month">
          <div className="grid grid-cols-2 gap-4">
            <Stat label="Rows generated" value={<Count count={1_204_220} />} text="of 5,000,000" />
            <Stat label="Data copied" value={<Bytes bytes={9.2e9} />} />
          </div>
        </Card>
      </div>
      <Card flush>
        <Table
          caption="Snapshots"
          columns={COLUMNS}
          rows={[]}
          rowKey={(job) => job.id}
          empty={
            <EmptyState
              icon={<Database />}
              title="No snapshots yet"
              text="A snapshot is an archive of a masked database that you can restore many times."
              code="npx understudy snapshot create --agent agent-berlin"
              action={<Button kind="primary">Create snapshot</Button>}
            />
          }
        />
      </Card>
    </Section>
  );
}
