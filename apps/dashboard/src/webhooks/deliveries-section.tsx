import { getRouteApi, Link } from '@tanstack/react-router';
import type { WebhookDelivery } from '@understudy/client';
import { Badge, columnsOf, EmptyState, FilterBar, Section, Time } from '@understudy/ui';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';

import { ListTable } from '../api/list-table.js';
import { FilterSelect } from '../work/filter-select.js';
import {
  DELIVERY_EVENTS,
  DELIVERY_STATUSES,
  readDeliveryFilters,
  SPANS,
  type Span,
} from './delivery-filters.js';
import { useDeliveries } from './queries.js';
import { TEXTS } from './texts.js';
import { DeliveryStatusBadge, responseOf } from './webhook-status.js';

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
  const setFilter = (changed: object) =>
    void navigate({ search: readDeliveryFilters({ ...filters, ...changed }), replace: true });
  return (
    <Section title={texts.title} actions={actions}>
      <FilterBar
        label={texts.filters}
        active={isFiltered}
        onClear={() => void navigate({ search: {}, replace: true })}
        end={list.total !== undefined && texts.count(list.total)}
      >
        <FilterSelect
          label={texts.status}
          any={texts.anyStatus}
          options={DELIVERY_STATUSES.map((value) => ({ value, label: TEXTS.deliveryStatuses[value] }))}
          value={filters.status}
          onChange={(status) => setFilter({ status })}
        />
        <FilterSelect
          label={texts.event}
          any={texts.anyEvent}
          options={DELIVERY_EVENTS.map((value) => ({ value, label: value }))}
          value={filters.event}
          onChange={(event) => setFilter({ event })}
        />
        <FilterSelect
          label={texts.within}
          any={texts.anyTime}
          options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: TEXTS.spans[value] }))}
          value={filters.within}
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

const COLUMNS = columnsOf<WebhookDelivery>()(texts.columns, {
  event: {
    cell: ({ event, resend_of: original }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{event}</span>
        {original !== null && <Badge>{texts.repeated}</Badge>}
      </span>
    ),
  },
  status: { width: '8rem', cell: (delivery) => <DeliveryStatusBadge {...delivery} /> },
  response: {
    width: '16rem',
    hideBelow: 'md',
    cell: ({ tries }) => {
      const last = tries.at(-1);
      return <span className="text-muted">{last ? responseOf(last) : TEXTS.none}</span>;
    },
  },
  attempts: { width: '6rem', align: 'end', hideBelow: 'md', cell: ({ attempts }) => attempts },
  created: { width: '10rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
