import {
  Card,
  columnsOf,
  Count,
  Menu,
  PageHeader,
  type Status,
  StatusBadge,
  Table,
  Time,
} from '@understudy/ui';

interface CopiedTable {
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  readonly rows: number;
}

const TABLES: readonly CopiedTable[] = Array.from({ length: 50_000 }, (_, id) => ({
  id,
  name: `public.table_${id}`,
  status: id % 97 === 0 ? 'failed' : id % 3 === 0 ? 'running' : 'succeeded',
  rows: (id * 7_919) % 50_000,
}));

const FIRST_COPY = Date.UTC(2026, 10, 1);

const LABELS: Record<string, string> = { failed: 'Failed', running: 'Copying', succeeded: 'Copied' };

const HEADERS = { name: 'Table', status: 'Status', rows: 'Rows', copied: 'Copied', menu: 'Actions' };

const COLUMNS = columnsOf<CopiedTable>()(HEADERS, {
  name: { sortValue: ({ name }) => name, cell: ({ name }) => name },
  status: {
    width: '10rem',
    cell: ({ status }) => <StatusBadge status={status} label={LABELS[status] ?? status} />,
  },
  rows: {
    align: 'end',
    width: '10rem',
    sortValue: ({ rows }) => rows,
    cell: ({ rows }) => <Count count={rows} />,
  },
  copied: {
    width: '14rem',
    hideBelow: 'md',
    cell: ({ id }) => <Time iso={new Date(FIRST_COPY + id * 60_000).toISOString()} />,
  },
  menu: {
    headerHidden: true,
    align: 'end',
    width: '4rem',
    cell: ({ name }) => <Menu label={`Actions for ${name}`} size="small" items={[{ label: 'Copy again' }]} />,
  },
});

/** A table of 50,000 rows, of which only the visible ones are drawn. */
export function LargeTablePage() {
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-6 px-4 py-8 sm:px-8">
      <title>Large table · Understudy</title>
      <PageHeader title="Large table" meta="50,000 rows, of which only the visible ones are drawn." />
      <Card flush>
        <Table
          caption="Tables"
          columns={COLUMNS}
          rows={TABLES}
          rowKey={({ id }) => String(id)}
          rowLink={({ id }) => <a href={`#${id}`} />}
          virtual
        />
      </Card>
    </main>
  );
}
