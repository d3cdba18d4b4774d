export const APP_TEXTS = {
  product: 'Understudy',
  /** The title of the document for a page with the heading. */
  documentTitle: (heading: string) => `${heading} · Understudy`,
  navigation: {
    label: 'Main',
    skip: 'Skip to the content',
    openMenu: 'Open the menu',
    closeMenu: 'Close the menu',
    overview: 'Overview',
    data: 'Data',
    generate: 'Generate',
    settings: 'Settings',
    syncJobs: 'Sync jobs',
    snapshots: 'Snapshots',
    agents: 'Agents',
    playground: 'Playground',
    generators: 'Generators',
    models: 'Models',
    mockEndpoints: 'Mock endpoints',
    apiKeys: 'API keys',
    members: 'Members',
    webhooks: 'Webhooks',
    auditLog: 'Audit log',
    usage: 'Usage',
  },
  user: {
    apiKey: 'Signed in with an API key',
    sessions: 'Sessions',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
    signOutEverywhereTitle: 'Sign out of all browsers?',
    signOutEverywhereText:
      'All your sessions end at once, in this browser and in all others. API keys keep working.',
  },
  /** The link beside the request id of a failed call. */
  requestLink: 'Look up in the audit log',
  leave: {
    consequence: 'Everything that you entered on this page is lost.',
    confirm: 'Leave page',
  },
  notFound: {
    title: 'This page does not exist',
    text: 'The address is wrong, or the page was moved.',
    action: 'Go to the overview',
  },
  failed: { title: 'This page failed' },
} as const;
