import { Link } from '@tanstack/react-router';
import type { Restore } from '@understudy/client';
import { Card, columnsOf, Duration, formatCount, Table, Time } from '@understudy/ui';

import { QueryState } from '../../api/query-state.js';
import { serverNow } from '../../session/use-session.js';
import { durationOf } from '../../work/figures.js';
import { NamedStatus } from '../../work/named-status.js';
import { useRestores } from '../queries.js';
import { TEXTS } from '../texts.js';

const { restores: texts } = TEXTS;

/** The restores of a snapshot, the newest first. */
export function RestoresCard({ snapshotId }: { readonly snapshotId: string }) {
  const query = useRestores(snapshotId);
  const { restores = [], total = 0 } = query.data ?? {};
  return (
    <Card
      title={texts.title}
      text={
        total > restores.length ? texts.first(formatCount(restores.length), formatCount(total)) : undefined
      }
      flush={restores.length > 0}
    >
      <QueryState query={query} lines={2} />
      {query.data && (
        <Table
          caption={texts.caption}
          columns={COLUMNS}
          rows={restores}
          rowKey={({ restore_id: id }) => id}
          rowLink={({ id, restore_id: restoreId }) => (
            <Link to="/snapshots/$snapshotId/restores/$restoreId" params={{ snapshotId: id, restoreId }} />
          )}
          empty={<p className="text-muted">{texts.none}</p>}
        />
      )}
    </Card>
  );
}

const COLUMNS = columnsOf<Restore>()(texts.columns, {
  target: {
    cell: ({ target_database: target }) => (
      <span className="block truncate font-medium" dir="auto" title={target}>
        {target}
      </span>
    ),
  },
  status: {
    width: '9rem',
    cell: ({ status }) => <NamedStatus status={status} labels={TEXTS.restore.statuses} />,
  },
  duration: {
    width: '8rem',
    align: 'end',
    cell: (restore) => <Duration ms={durationOf(restore, serverNow())} />,
  },
  created: { width: '9rem', cell: ({ created_at: created }) => <Time iso={created} format="relative" /> },
});
