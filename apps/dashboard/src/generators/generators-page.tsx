import { getRouteApi, Link } from '@tanstack/react-router';
import type { ListedGenerator } from '@understudy/client';
import {
  columnsOf,
  EmptyState,
  LinkButton,
  Notice,
  PageHeader,
  Skeleton,
  Table,
  Tabs,
  Time,
  Truncated,
} from '@understudy/ui';
import { Blocks, Plus } from 'lucide-react';

import { ListTable } from '../api/list-table.js';
import type { CatalogGenerator } from '../engine/worker/messages.js';
import { useAllows } from '../session/use-session.js';
import { firstSentence, GENERATOR_TABS, shortName, splitName } from './generator-names.js';
import { useBuiltinGenerators, useRegisteredGenerators } from './queries.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/generators');

/** The generators of the organisation and those of the product. The address of the page holds the tab. */
export function GeneratorsPage() {
  const { tab = 'registered' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayRegister = useAllows({ role: 'member', scope: 'generators:write' });
  const register = mayRegister && (
    <LinkButton kind="primary" render={<Link to="/generators/new" />}>
      <Plus aria-hidden />
      {TEXTS.register}
    </LinkButton>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={register} />
      <Tabs
        label={TEXTS.tabsLabel}
        tabs={GENERATOR_TABS.map((id) => ({ id, label: TEXTS.tabs[id] }))}
        value={tab}
        onChange={(chosen) => void navigate({ search: { tab: chosen } })}
      >
        {tab === 'registered' ? <RegisteredList register={register} /> : <BuiltinList />}
      </Tabs>
    </div>
  );
}

function RegisteredList({ register }: { readonly register: React.ReactNode }) {
  return (
    <ListTable
      list={useRegisteredGenerators()}
      caption={TEXTS.registered.caption}
      columns={REGISTERED_COLUMNS}
      rowLink={({ name, version }) => (
        <Link to="/generators/registered/$namespace/$name" params={splitName(name)} search={{ version }} />
      )}
      empty={<EmptyState {...TEXTS.registered.empty} icon={<Blocks />} action={register || undefined} />}
    />
  );
}

function BuiltinList() {
  const { data, error } = useBuiltinGenerators();
  if (error) return <Notice tone="danger" text={TEXTS.builtin.failed} />;
  if (!data) return <Skeleton lines={8} />;
  return (
    <Table
      caption={TEXTS.builtin.caption}
      columns={BUILTIN_COLUMNS}
      rows={data}
      rowKey={({ name }) => name}
      rowLink={({ name }) => <Link to="/generators/built-in/$name" params={{ name: shortName(name) }} />}
    />
  );
}

const mono = (text: string) => <Truncated text={text} mono />;
const REGISTERED_COLUMNS = columnsOf<ListedGenerator>()(TEXTS.registered.columns, {
  name: { cell: ({ name }) => mono(name) },
  version: { width: '9rem', cell: ({ version }) => mono(version) },
  output: { width: '8rem', hideBelow: 'md', cell: ({ output }) => output },
  created: { width: '10rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
const BUILTIN_COLUMNS = columnsOf<CatalogGenerator>()(TEXTS.builtin.columns, {
  name: { width: '14rem', cell: ({ name }) => mono(shortName(name)) },
  description: { cell: ({ description }) => firstSentence(description) },
});
