type Labels = Readonly<Record<string, string>>;

export const TABLES_TEXTS = {
  caption: 'Tables of the job',
  filter: 'Filter tables',
  status: 'Status',
  order: 'Order',
  anyStatus: (count: string) => `All tables (${count})`,
  withCount: (label: string, count: string) => `${label} (${count})`,
  statuses: {
    pending: 'Waiting',
    copying: 'Copying',
    indexing: 'Indexing',
    verifying: 'Verifying',
    completed: 'Completed',
  } as Labels,
  orders: {
    position: 'As in the definition',
    name: 'By name',
    '-rows_total': 'Most rows first',
    '-bytes_total': 'Largest first',
    '-bytes_remaining': 'Most bytes left first',
  },
  columns: {
    name: 'Table',
    status: 'Status',
    progress: 'Copied',
    rows: 'Rows',
    bytes: 'Bytes',
  },
  of: (done: string, total: string) => `${done} of ${total}`,
  noMatch: {
    title: 'No table has this status',
    text: 'Choose another status to see the other tables.',
  },
} as const;
