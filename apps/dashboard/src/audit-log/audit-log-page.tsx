import { getRouteApi } from '@tanstack/react-router';
import type { AuditEntry } from '@understudy/client';
import { Badge, Button, columnsOf, EmptyState, PageHeader, Time, Truncated } from '@understudy/ui';
import { Download, ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';

import { ListTable } from '../api/list-table.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { readAuditFilters, type AuditFilters } from './audit-filters.js';
import { EntryDialog } from './entry-dialog.js';
import { ExportDialog } from './export-dialog.js';
import { queryOf, useActors, useAuditEntries, type Actor } from './queries.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/audit-log');

/** Who changed what, and when. The address of the page holds the filters. */
export function AuditLogPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const entries = useAuditEntries(filters);
  const actors = useActors();
  const [shown, setShown] = useState<AuditEntry>();
  const [isExporting, setIsExporting] = useState(false);
  const columns = useColumns(actors);
  const setFilters = (next: { readonly [Name in keyof AuditFilters]?: string | undefined }) =>
    void navigate({ search: readAuditFilters(next), replace: true });
  const isFiltered = Object.keys(filters).length > 0;
  const none = filters.request === undefined ? TEXTS.noMatch : TEXTS.noRequest;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={TEXTS.title}
        meta={TEXTS.meta}
        status={entries.total !== undefined && <Badge>{TEXTS.count(entries.total)}</Badge>}
        actions={
          <Button
            icon={<Download aria-hidden />}
            disabled={!entries.total}
            onClick={() => setIsExporting(true)}
          >
            {TEXTS.export.action}
          </Button>
        }
      />
      <AuditFilterBar filters={filters} actors={actors} onChange={setFilters} />
      <ListTable
        list={entries}
        caption={TEXTS.caption}
        columns={columns}
        onRowClick={setShown}
        empty={<EmptyState {...(isFiltered ? none : TEXTS.empty)} icon={<ScrollText />} />}
      />
      {isExporting && (
        <ExportDialog
          query={queryOf(filters)}
          total={entries.total ?? 0}
          onClose={() => setIsExporting(false)}
        />
      )}
      {shown && (
        <EntryDialog
          entry={shown}
          actorName={nameOf(actors, shown)}
          onFilter={(next) => {
            setShown(undefined);
            setFilters(next);
          }}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

/** Returns the name of the actor if it is known, else its type. */
function nameOf(actors: readonly Actor[], { actor: { type, id } }: AuditEntry): string {
  const known = actors.find((each) => each.id === id);
  return known?.name ?? TEXTS.actorTypes[type] ?? type;
}

function useColumns(actors: readonly Actor[]) {
  const key = actors.map(({ id, name }) => `${id} ${name}`).join('\n');
  return useMemo(
    () =>
      columnsOf<AuditEntry>()(TEXTS.columns, {
        action: { cell: ({ action }) => TEXTS.actions[action] ?? action },
        actor: { width: '14rem', cell: (entry) => <Truncated text={nameOf(actors, entry)} /> },
        target: {
          width: '18rem',
          hideBelow: 'md',
          cell: ({ target, details }) => {
            const name = details['name'] ?? details['email'];
            const text = typeof name === 'string' ? name : target.id;
            return <Truncated text={text} muted />;
          },
        },
        time: { width: '9rem', cell: ({ occurred_at: time }) => <Time iso={time} format="relative" /> },
      }),
    // oxlint-disable-next-line react/exhaustive-deps -- the key holds everything that the columns show
    [key],
  );
}
