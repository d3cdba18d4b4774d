import { getRouteApi, Link } from '@tanstack/react-router';
import type { ListedModel, PrivateModel } from '@understudy/client';
import {
  Button,
  columnsOf,
  EmptyState,
  FilterBar,
  PageHeader,
  Tabs,
  TextField,
  Time,
  Truncated,
} from '@understudy/ui';
import { Shapes, Upload } from 'lucide-react';
import { useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { useAllows } from '../session/use-session.js';
import { FilterSelect } from '../work/filter-select.js';
import {
  MODEL_KINDS,
  MODEL_TYPES,
  modelParams,
  readModelFilters,
  type ModelFilters,
  type ModelKind,
} from './model-filters.js';
import { useModels } from './queries.js';
import { TEXTS } from './texts.js';
import { UploadDialog } from './upload-dialog.js';

const route = getRouteApi('/frame/models');

/** The models that schemas and column rules can use. The address of the page holds the filters. */
export function ModelsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayUpload = useAllows({ role: 'member', scope: 'models:write' });
  const [uploading, setUploading] = useState(false);
  const type = filters.type ?? 'builtin';
  const setFilters = (changed: ModelFilters | object) =>
    void navigate({ search: readModelFilters({ ...filters, ...changed }), replace: true });
  const upload = mayUpload && (
    <Button icon={<Upload aria-hidden />} onClick={() => setUploading(true)}>
      {TEXTS.upload}
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta} actions={upload} />
      <Tabs
        label={TEXTS.typesLabel}
        tabs={MODEL_TYPES.map((id) => ({ id, label: TEXTS.types[id] }))}
        value={type}
        onChange={(chosen) => void navigate({ search: { type: chosen } })}
      >
        <ModelList filters={filters} setFilters={setFilters} upload={upload} />
      </Tabs>
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </div>
  );
}

function ModelList({
  filters,
  setFilters,
  upload,
}: {
  readonly filters: ModelFilters;
  readonly setFilters: (changed: object) => void;
  readonly upload: React.ReactNode;
}) {
  const list = useModels(filters);
  const [locale, setLocale] = useState(filters.locale ?? '');
  const type = filters.type ?? 'builtin';
  return (
    <div className="flex flex-col gap-4">
      {type !== 'private' && (
        <FilterBar
          label={TEXTS.filters}
          active={filters.kind !== undefined || filters.locale !== undefined}
          onClear={() => {
            setLocale('');
            setFilters({ kind: undefined, locale: undefined });
          }}
          end={list.total !== undefined && TEXTS.count(list.total)}
        >
          <FilterSelect
            label={TEXTS.kind}
            any={TEXTS.anyKind}
            options={MODEL_KINDS.map((value) => ({ value, label: TEXTS.kinds[value] }))}
            value={filters.kind}
            onChange={(kind) => setFilters({ kind })}
          />
          <TextField
            label={TEXTS.locale}
            labelHidden
            placeholder={TEXTS.anyLocale}
            value={locale}
            onChange={(value) => {
              setLocale(value);
              setFilters({ locale: value });
            }}
            maxLength={6}
          />
        </FilterBar>
      )}
      <ListTable
        list={list}
        caption={TEXTS.caption}
        columns={type === 'private' ? PRIVATE_COLUMNS : COLUMNS}
        rowLink={({ id }) => <Link to="/models/$group/$name" params={modelParams(id)} />}
        empty={
          <EmptyState
            {...TEXTS.empty[type]}
            icon={<Shapes />}
            action={(type === 'custom' && upload) || undefined}
            {...(type === 'custom' && { code: TEXTS.trainCommand, codeLanguage: TEXTS.shell })}
          />
        }
      />
    </div>
  );
}

type Listed = ListedModel | PrivateModel;

const id = { cell: (model: Listed) => <Truncated text={model.id} mono /> };
const COLUMNS = columnsOf<Listed>()(TEXTS.columns, {
  id,
  kind: { width: '10rem', cell: ({ kind }) => TEXTS.kinds[kind as ModelKind] ?? kind },
  locale: { width: '7rem', cell: (model) => ('locale' in model ? model.locale : TEXTS.none) },
  order: {
    width: '5rem',
    align: 'end',
    hideBelow: 'md',
    cell: (model) => ('ngram_order' in model ? (model.ngram_order ?? '–') : '–'),
  },
});
const PRIVATE_COLUMNS = columnsOf<Listed>()(TEXTS.columns, {
  id,
  agent: {
    width: '20rem',
    hideBelow: 'md',
    cell: (model) => <Truncated text={'agent_id' in model ? model.agent_id : ''} mono />,
  },
  trained: {
    width: '10rem',
    cell: (model) => 'trained_at' in model && <Time iso={model.trained_at} format="relative" />,
  },
});
