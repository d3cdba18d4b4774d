import { FilterBar } from '@understudy/ui';

import { FilterSelect } from '../work/filter-select.js';
import { NameFilter } from '../work/name-filter.js';
import { narrowingOf, SPANS, type JobFilters, type Span } from './job-filters.js';
import { TEXTS } from './texts.js';

const { filters: texts } = TEXTS;

type Change = (changed: {
  readonly name?: string;
  readonly agent?: string | undefined;
  readonly within?: Span | undefined;
}) => void;

/** The filters of the list of jobs, except for the status. */
export function JobFilterBar({
  filters,
  agents,
  total,
  onChange,
  onClear,
}: {
  readonly filters: JobFilters;
  /** The name of each agent. */
  readonly agents: ReadonlyMap<string, string>;
  readonly total: number | undefined;
  readonly onChange: Change;
  readonly onClear: () => void;
}) {
  const { agent, within } = filters;
  const choices = [...agents].map(([value, label]) => ({ value, label }));
  // The agent of a shared address can be unknown here.
  if (agent !== undefined && !agents.has(agent)) choices.push({ value: agent, label: agent });
  return (
    <FilterBar
      label={texts.label}
      active={Object.keys(narrowingOf(filters)).length > 0}
      onClear={onClear}
      end={total !== undefined && TEXTS.count(total)}
    >
      <NameFilter value={filters.name ?? ''} onChange={(name) => onChange({ name })} />
      {choices.length > 0 && (
        <FilterSelect
          label={texts.agent}
          any={texts.anyAgent}
          options={choices}
          value={agent}
          onChange={(chosen) => onChange({ agent: chosen })}
        />
      )}
      <FilterSelect
        label={texts.within}
        any={texts.anyTime}
        options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: TEXTS.spans[value] }))}
        value={within}
        onChange={(chosen) => onChange({ within: chosen })}
      />
    </FilterBar>
  );
}
