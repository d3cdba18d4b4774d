/** The texts that sync jobs, snapshots and restores have in common. */
export const WORK_TEXTS = {
  warnings: 'Warnings',
  nameContains: 'Name contains',
  database: {
    url: 'Connection URL',
    other: 'Connection URL…',
    urlHint: 'The server seals the URL, so that only your agents can read it.',
    placeholder: 'Choose a database',
    offeredBy: (agents: string) => `Offered by ${agents}`,
    notOffered: 'No agent offers it now.',
    noAgents: 'No agent offers a database. Connect an agent first, or enter a connection URL.',
  },
} as const;
