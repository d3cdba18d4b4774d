import { Combobox, FilterBar, TextField } from '@understudy/ui';
import { Search } from 'lucide-react';
import { useState } from 'react';

import type { AuditFilters } from './audit-filters.js';
import type { Actor } from './queries.js';
import { TEXTS } from './texts.js';

const { filters: texts } = TEXTS;

const ACTIONS = Object.entries(TEXTS.actions).map(([value, label]) => ({ value, label }));

/** The filters: time, action, actor, changed thing and request. */
export function AuditFilterBar({
  filters,
  actors,
  onChange,
}: {
  readonly filters: AuditFilters;
  readonly actors: readonly Actor[];
  readonly onChange: (filters: { readonly [Name in keyof AuditFilters]?: string | undefined }) => void;
}) {
  const set = (name: keyof AuditFilters) => (value: string | null) =>
    onChange({ ...filters, [name]: value ?? undefined });
  const options = actors.map(({ id, type, name }) => ({
    value: id,
    label: name,
    ...(TEXTS.actorTypes[type] !== undefined && { hint: TEXTS.actorTypes[type] }),
  }));
  return (
    <FilterBar
      label={texts.label}
      active={Object.keys(filters).length > 0}
      onClear={() => onChange({})}
      folds
    >
      <Combobox
        label={texts.action}
        placeholder={texts.anyAction}
        options={withChosen(ACTIONS, filters.action)}
        value={filters.action ?? null}
        onChange={set('action')}
      />
      <Combobox
        label={texts.actor}
        placeholder={texts.anyActor}
        options={withChosen(options, filters.actor)}
        value={filters.actor ?? null}
        onChange={set('actor')}
      />
      {(['target', 'request'] as const).map((name) => (
        <IdField
          key={`${name} ${filters[name] ?? ''}`}
          label={texts[name]}
          value={filters[name] ?? ''}
          onChange={set(name)}
        />
      ))}
      <TextField type="date" label={texts.from} value={filters.from ?? ''} onChange={set('from')} />
      <TextField type="date" label={texts.to} value={filters.to ?? ''} onChange={set('to')} />
    </FilterBar>
  );
}

/** Adds a value of the address that is not among the options, such as the id of a former member. */
function withChosen<Option extends { readonly value: string; readonly label: string }>(
  options: readonly Option[],
  chosen: string | undefined,
) {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: chosen }];
}

/** The list is loaded when the reader has finished typing the id. */
function IdField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const commit = () => {
    if (typed !== value) onChange(typed);
  };
  return (
    <TextField
      label={label}
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
      icon={<Search />}
      maxLength={300}
      mono
    />
  );
}
