import { getRouteApi, Link } from '@tanstack/react-router';
import type { WebhookDelivery } from '@understudy/client';
import { Badge, EmptyState, FilterBar, Section, Select, Time } from '@understudy/ui';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';

import { ListTable } from '../api/list-table.js';
import {
  DELIVERY_EVENTS,
  DELIVERY_STATUSES,
  readDeliveryFilters,
  SPANS,
  type DeliveryFilters,
  type Span,
} from './delivery-filters.js';
import { useDeliveries } from './queries.js';
import { TEXTS } from './texts.js';
import { responseOf, DeliveryStatusBadge } from './webhook-status.js';

const route = getRouteApi('/frame/webhooks/$webhookId');
const { deliveries: texts } = TEXTS;

/** The deliveries of a webhook. The address of the page holds the filters. */
export function DeliveriesSection({
  webhookId,
  actions,
}: {
  readonly webhookId: string;
  readonly actions: ReactNode;
}) {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const list = useDeliveries(webhookId, filters);
  const isFiltered = Object.keys(filters).length > 0;
  const setFilter = (changed: Record<keyof DeliveryFilters, string> | object) =>
    void navigate({ search: readDeliveryFilters({ ...filters, ...changed }), replace: true });
  return (
    <Section title={texts.title} actions={actions}>
      <FilterBar
        label={texts.filters}
        active={isFiltered}
        onClear={() => void navigate({ search: {}, replace: true })}
        end={list.total !== undefined && texts.count(list.total)}
      >
        <Select
          label={texts.status}
          labelHidden
          options={[
            { value: 'any', label: texts.anyStatus },
            ...DELIVERY_STATUSES.map((value) => ({ value, label: TEXTS.deliveryStatuses[value] })),
          ]}
          value={filters.status ?? 'any'}
          onChange={(status) => setFilter({ status })}
        />
        <Select
          label={texts.event}
          labelHidden
          options={[
            { value: 'any', label: texts.anyEvent },
            ...DELIVERY_EVENTS.map((value) => ({ value, label: value })),
          ]}
          value={filters.event ?? 'any'}
          onChange={(event) => setFilter({ event })}
        />
        <Select
          label={texts.within}
          labelHidden
          options={[
            { value: 'any', label: texts.anyTime },
            ...(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: TEXTS.spans[value] })),
          ]}
          value={filters.within ?? 'any'}
          onChange={(within) => setFilter({ within })}
        />
      </FilterBar>
      <ListTable
        list={list}
        caption={texts.caption}
        columns={COLUMNS}
        rowLink={({ id, webhook_id: webhook }) => (
          <Link
            to="/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ webhookId: webhook, deliveryId: id }}
          />
        )}
        empty={<EmptyState {...(isFiltered ? texts.noMatch : texts.empty)} icon={<Send />} />}
      />
    </Section>
  );
}

const { columns } = texts;
const COLUMNS = [
  {
    id: 'event',
    header: columns.event,
    cell: ({ event, resend_of: original }: WebhookDelivery) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{event}</span>
        {original !== null && <Badge>{texts.repeated}</Badge>}
      </span>
    ),
  },
  {
    id: 'status',
    header: columns.status,
    width: '8rem',
    cell: (delivery: WebhookDelivery) => <DeliveryStatusBadge {...delivery} />,
  },
  {
    id: 'response',
    header: columns.response,
    width: '16rem',
    hideBelow: 'md' as const,
    cell: ({ tries }: WebhookDelivery) => {
      const last = tries.at(-1);
      return <span className="text-muted">{last ? responseOf(last) : TEXTS.none}</span>;
    },
  },
  {
    id: 'attempts',
    header: columns.attempts,
    width: '6rem',
    align: 'end' as const,
    hideBelow: 'md' as const,
    cell: ({ attempts }: WebhookDelivery) => attempts,
  },
  {
    id: 'created',
    header: columns.created,
    width: '10rem',
    cell: ({ created_at: created }: WebhookDelivery) => <Time iso={created} format="relative" />,
  },
];
