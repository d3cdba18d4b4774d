import { Link } from '@tanstack/react-router';
import type { MockEndpoint } from '@understudy/client';
import { Badge, columnsOf, Count, EmptyState, LinkButton, PageHeader, Time, Truncated } from '@understudy/ui';
import { Plus, Waypoints } from 'lucide-react';

import { ListTable } from '../api/list-table.js';
import { useAllows } from '../session/use-session.js';
import { useMockEndpoints } from './queries.js';
import { TEXTS } from './texts.js';

/** The mock endpoints of the organisation. */
export function MockEndpointsPage() {
  const list = useMockEndpoints();
  const mayCreate = useAllows({ role: 'member', scope: 'endpoints:write' });
  const create = mayCreate && (
    <LinkButton kind="primary" render={<Link to="/playground" />}>
      <Plus aria-hidden />
      {TEXTS.create}
    </LinkButton>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={create} />
      <ListTable
        list={list}
        caption={TEXTS.caption}
        columns={COLUMNS}
        rowLink={({ id }) => <Link to="/mock-endpoints/$endpointId" params={{ endpointId: id }} />}
        empty={<EmptyState {...TEXTS.empty} icon={<Waypoints />} action={create || undefined} />}
      />
    </div>
  );
}

type Listed = Pick<MockEndpoint, 'id' | 'path' | 'method' | 'auth' | 'requests_today' | 'created_at'>;

const COLUMNS = columnsOf<Listed>()(TEXTS.columns, {
  path: { cell: ({ path }) => <Truncated text={path} mono /> },
  method: { width: '7rem', cell: ({ method }) => <Badge>{method}</Badge> },
  auth: { width: '12rem', hideBelow: 'md', cell: ({ auth }) => TEXTS.auths[auth] ?? auth },
  today: { width: '8rem', align: 'end', cell: ({ requests_today: today }) => <Count count={today} /> },
  created: { width: '10rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
