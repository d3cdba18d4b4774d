import type { Organization } from '@understudy/client';
import { Card, formatCount, Progress, Time } from '@understudy/ui';

import { TEXTS } from './texts.js';

const { quotas: texts } = TEXTS;

const GROUPS = [
  { title: texts.monthly, quotas: ['sync_jobs', 'api_calls'] },
  { title: texts.standing, quotas: ['endpoints', 'snapshots'] },
] as const;

/** The share of a quota from which a bar warns. */
const NEAR_LIMIT = 0.8;

/** Used and allowed amounts of each quota, with the time at which the counts of the month restart. */
export function QuotaBars({ organization }: { readonly organization: Organization }) {
  return (
    <Card
      title={texts.title}
      text={
        <>
          {texts.renewal} <Time iso={organization.billing_cycle_end} />
        </>
      }
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {GROUPS.map(({ title, quotas }) => (
          <div key={title} className="flex min-w-0 flex-col gap-3">
            <h3 className="text-sm text-muted">{title}</h3>
            {quotas.map((quota) => (
              <QuotaBar key={quota} label={texts.names[quota]} {...organization.usage[quota]} />
            ))}
          </div>
        ))}
      </div>
    </Card>
  );
}

function QuotaBar({
  label,
  used,
  limit,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}) {
  const isNear = used >= limit * NEAR_LIMIT;
  const isFull = used >= limit;
  return (
    <Progress
      label={label}
      value={limit === 0 ? 1 : used}
      max={limit || 1}
      text={(isFull ? texts.full : texts.used)(formatCount(used), formatCount(limit))}
      tone={isFull ? 'danger' : isNear ? 'warning' : 'accent'}
    />
  );
}
