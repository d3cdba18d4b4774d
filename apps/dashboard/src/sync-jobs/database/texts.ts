type Labels = Readonly<Record<string, string>>;

export const DATABASE_TEXTS = {
  build: {
    title: 'Build of the new database',
    text: 'The target changes only with the swap.',
    columns: { phase: 'Phase', status: 'Status', done: 'Done', estimate: 'Time left' },
    phases: {
      objects: 'Objects',
      rows: 'Rows',
      indexes: 'Indexes',
      keys: 'Keys and triggers',
      views: 'Views and policies',
      swap: 'Swap',
    } as Labels,
    statuses: { pending: 'Waiting', running: 'Running', completed: 'Done' } as Labels,
    of: (done: string, total: string) => `${done} of ${total}`,
    earlier: 'By an earlier attempt',
    noEstimate: 'No estimate yet',
    about: (duration: string) => `About ${duration}`,
  },
  revert: {
    running: 'A revert runs. The agent waits until the target is not in use, and then swaps both databases.',
    failed: 'The last revert failed',
    code: 'Error code',
  },
} as const;
