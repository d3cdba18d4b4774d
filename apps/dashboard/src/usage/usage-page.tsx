import { getRouteApi } from '@tanstack/react-router';
import type { DailyUsage } from '@understudy/client';
import { Badge, Button, Card, Chart, formatCount, PageHeader, Section, Select } from '@understudy/ui';
import { useState } from 'react';

import { QueryState } from '../api/query-state.js';
import { useAllows } from '../session/use-session.js';
import { ChangePlanDialog } from './change-plan-dialog.js';
import { useDailyUsage, useOrganization } from './queries.js';
import { QuotaBars } from './quota-bars.js';
import { TEXTS } from './texts.js';
import { RANGES, readUsageRange, type Range } from './usage-range.js';

const route = getRouteApi('/frame/usage');

/** The amounts that the organisation uses, the limits of its plan, and what happens at a limit. */
export function UsagePage() {
  const query = useOrganization();
  const { data: organization } = query;
  const mayChange = useAllows({ role: 'owner', scope: 'org:write' });
  const [changing, setChanging] = useState(false);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={TEXTS.title}
        meta={TEXTS.meta}
        status={
          organization && <Badge>{TEXTS.plan(TEXTS.plans[organization.plan] ?? organization.plan)}</Badge>
        }
        actions={
          mayChange &&
          organization && <Button onClick={() => setChanging(true)}>{TEXTS.change.action}</Button>
        }
      />
      <QueryState query={query} />
      {organization && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <QuotaBars organization={organization} />
          <Card title={TEXTS.atLimit.title}>
            <ul className="flex list-disc flex-col gap-2 pl-4 text-muted">
              {TEXTS.atLimit.rules.map(({ id, text }) => (
                <li key={id}>{text}</li>
              ))}
            </ul>
          </Card>
        </div>
      )}
      <DailySection />
      {changing && organization && (
        <ChangePlanDialog plan={organization.plan} onClose={() => setChanging(false)} />
      )}
    </div>
  );
}

const { byDay } = TEXTS;
const METRICS = ['api_calls', 'sync_jobs', 'mock_calls'] as const;

function DailySection() {
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useDailyUsage(days);
  const { data } = query;
  return (
    <Section
      title={byDay.title}
      text={byDay.text}
      actions={
        <div className="w-40">
          <Select
            label={byDay.range}
            labelHidden
            options={RANGES.map((value) => ({ value, label: byDay.ranges[value] }))}
            value={days}
            onChange={(chosen) => void navigate({ search: readUsageRange({ days: chosen }), replace: true })}
          />
        </div>
      }
    >
      <QueryState query={query} lines={5} />
      {data && (
        <div className="grid gap-6 lg:grid-cols-2">
          {METRICS.map((metric, index) => (
            <div key={metric} className={index === 0 ? 'min-w-0 lg:col-span-2' : 'min-w-0'}>
              <Card>
                <DailyChart metric={metric} usage={data} range={days} />
              </Card>
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}

function DailyChart({
  metric,
  usage: { days },
  range,
}: {
  readonly metric: (typeof METRICS)[number];
  readonly usage: DailyUsage;
  readonly range: Range;
}) {
  const name = byDay.metrics[metric];
  const values = days.map((day) => day[metric]);
  const total = formatCount(values.reduce((sum, value) => sum + value, 0));
  return (
    <Chart
      label={`${name}: ${byDay.total(total)}`}
      summary={byDay.summary(name, total, range)}
      times={days.map(({ day }) => Date.parse(`${day}T00:00`))} // in the reader's zone, which the axis uses
      series={[{ label: name, values }]}
      format={formatCount}
      kind="bars"
    />
  );
}
