import {
  Badge,
  Button,
  Bytes,
  Card,
  Count,
  EmptyState,
  KeyValues,
  ScrollList,
  Section,
  ShareTable,
  Stat,
  type Status,
  StatusBadge,
  Table,
  type TableSort,
  Time,
  ValueGrid,
} from '@understudy/ui';
import { Database } from 'lucide-react';
import { useState } from 'react';

import { COLUMNS, JOBS, LABELS, RECORD_COLUMNS } from './example-jobs.js';
import { Example } from './example.js';

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
      <ValueGrid caption="Records" columns={RECORD_COLUMNS} rows={[1001, 1002]} />
      <Card title="Next characters">
        <ShareTable caption="Characters after Mar" name="Character" share="Probability" rows={SHARES} />
      </Card>
      <Card title="Columns" flush>
        <ScrollList label="Columns" rows={COLUMN_NAMES} rowKey={(name) => name}>
          {(name) => <p className="px-4 py-2.5">{name}</p>}
        </ScrollList>
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

const SHARES = [
  { id: 'y', label: 'y', share: 0.42, onSelect: () => undefined },
  { id: 'i', label: 'i', share: 0.31, onSelect: () => undefined },
  { id: 'end', label: 'End of the value', share: 0.27 },
];
const COLUMN_NAMES = Array.from({ length: 1_000 }, (_, number) => `column_${number}`);
