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
    missing: {
      no_agent: 'No agent is connected. Connect an agent first, because only an agent opens a database.',
      no_database: 'No agent offers a database by name.',
    },
  },
  missing: {
    no_agent: {
      text: 'Connect an agent first. It runs beside your databases, and only the agent reads them.',
      agents: 'Connect an agent',
    },
    no_database: {
      text: 'An agent is connected, but it offers no database. Name a database in the file of the agent, or enter a connection URL that its policy allows.',
      agents: 'Show agents',
    },
  },
} as const;
