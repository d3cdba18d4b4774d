import { Link } from '@tanstack/react-router';
import type { MockEndpoint } from '@understudy/client';
import { Badge, Count, EmptyState, LinkButton, PageHeader, Time, Truncated } from '@understudy/ui';
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

const { columns } = TEXTS;
const COLUMNS = [
  {
    id: 'path',
    header: columns.path,
    cell: ({ path }: Listed) => <Truncated text={path} mono />,
  },
  {
    id: 'method',
    header: columns.method,
    width: '7rem',
    cell: ({ method }: Listed) => <Badge>{method}</Badge>,
  },
  {
    id: 'auth',
    header: columns.auth,
    width: '12rem',
    hideBelow: 'md' as const,
    cell: ({ auth }: Listed) => TEXTS.auths[auth] ?? auth,
  },
  {
    id: 'today',
    header: columns.today,
    width: '8rem',
    align: 'end' as const,
    cell: ({ requests_today: today }: Listed) => <Count count={today} />,
  },
  {
    id: 'created',
    header: columns.created,
    width: '10rem',
    cell: ({ created_at: created }: Listed) => <Time iso={created} format="relative" />,
  },
];
