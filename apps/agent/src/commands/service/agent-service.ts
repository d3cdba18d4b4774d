import type { Service } from '@understudy/service-unit';

/** The agent as a service of systemd. */
export const AGENT_SERVICE = {
  name: 'understudy-agent',
  description: 'Understudy agent: copies and masks databases',
  user: 'understudy-agent',
  configFolder: '/etc/understudy-agent',
  variablesFile: 'agent.env',
  stateFolder: '/var/lib/understudy-agent',
  startsAfter: ['postgresql.service'],
  preparations: [],
  configurationExitCode: 78,
  settings: [
    '# The snapshot keeper of a running job outlives the agent for up to 60 seconds, so that the next attempt can',
    '# continue with the same snapshot.',
    'KillMode=process',
  ],
} as const satisfies Service;

/** The names of the files in the folder of the configuration. */
export const FILES = {
  variables: AGENT_SERVICE.variablesFile,
  policy: 'policy.yaml',
  token: 'enrolment-token',
  authorities: 'ca.crt',
} as const;
