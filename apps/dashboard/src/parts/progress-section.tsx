import {
  Button,
  Card,
  Chart,
  FilterBar,
  PhaseBar,
  Progress,
  ProgressAnnouncer,
  Section,
  Select,
  TextField,
  ThemeSwitch,
  formatBytes,
  formatCount,
} from '@understudy/ui';

import { Example, Try } from './example.js';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const DAYS = Array.from({ length: 24 }, (_, day) => FIRST_DAY + day * DAY_MS);
const CALLS = DAYS.map((_, day) => 4_000 + ((day * 7_919) % 5_000));
const SECONDS = Array.from({ length: 120 }, (_, second) => FIRST_DAY + second * 1_000);
const wave = (height: number, period: number) =>
  SECONDS.map((_, second) => height * (1.2 + Math.sin(second / period)));

const STATUSES = [
  { value: 'running', label: 'Running' },
  { value: 'failed', label: 'Failed' },
];

/** Parts that show how far something is, charts, filters and the switch of the theme. */
export function ProgressSection() {
  return (
    <Section title="Progress and charts">
      <Card title="Phases">
        <div className="flex flex-col gap-6">
          <PhaseBar
            label="Phases of the job"
            phases={[
              { id: 'check', label: 'Check', state: 'done', text: '1.2 s' },
              { id: 'copy', label: 'Copy', state: 'running', text: '61 %' },
              { id: 'verify', label: 'Verify', state: 'waiting' },
              { id: 'switch', label: 'Switch', state: 'waiting' },
            ]}
          />
          <PhaseBar
            label="Phases of the failed job"
            phases={[
              { id: 'check', label: 'Check', state: 'done', text: '0.9 s' },
              { id: 'copy', label: 'Copy', state: 'failed', text: '3 min 20 s' },
              { id: 'verify', label: 'Verify', state: 'waiting' },
              { id: 'switch', label: 'Switch', state: 'waiting' },
            ]}
          />
        </div>
      </Card>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Progress label="Tables" value={24} max={40} text="24 of 40 tables" />
        <Progress label="Rows generated" tone="warning" value={92} max={100} text="92 % of the plan" />
        <Progress label="API calls" tone="danger" value={120} max={100} text="Limit reached" />
        <Progress label="Waiting for the agent" value={null} max={1} />
      </div>
      <Example label="Announced progress">
        <Try<number | null> initial={null}>
          {({ value: tables, onChange: setTables }) => (
            <>
              <Button onClick={() => setTables((tables ?? 0) + 1)}>Copy one more table</Button>
              {tables !== null && <ProgressAnnouncer text={`${tables} of 40 tables are copied`} />}
            </>
          )}
        </Try>
      </Example>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card>
          <Chart
            label="Throughput"
            summary="The job copies about 12 MiB per second."
            times={SECONDS}
            series={[
              { label: 'Read', values: wave(12e6, 9) },
              { label: 'Written', values: wave(7e6, 7) },
            ]}
            format={(value) => `${formatBytes(value)}/s`}
          />
        </Card>
        <Card>
          <Chart
            label="API calls by day"
            summary="Between 4,000 and 9,000 calls a day."
            kind="bars"
            times={DAYS}
            series={[{ label: 'Calls', values: CALLS }]}
            format={formatCount}
          />
        </Card>
      </div>
      <Example label="Filters">
        <Try initial={{ name: '', status: 'running' as string | null }}>
          {({ value: filters, onChange: setFilters }) => (
            <FilterBar
              label="Filter jobs"
              active={filters.name !== '' || filters.status !== null}
              onClear={() => setFilters({ name: '', status: null })}
              end="12 jobs"
            >
              <TextField
                label="Name of the job"
                labelHidden
                placeholder="Name"
                value={filters.name}
                onChange={(name) => setFilters({ ...filters, name })}
              />
              <Select
                label="Status of the job"
                labelHidden
                placeholder="Any status"
                options={STATUSES}
                value={filters.status}
                onChange={(status) => setFilters({ ...filters, status })}
              />
            </FilterBar>
          )}
        </Try>
      </Example>
      <Example label="Theme">
        <ThemeSwitch />
      </Example>
    </Section>
  );
}
