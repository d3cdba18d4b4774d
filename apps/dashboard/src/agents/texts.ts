/** The meaning of each part of a policy summary: a choice, or a count. */
const policy = {
  title: 'Policy',
  text: 'The agent reports its policy only as choices and counts. Patterns, names and URLs stay in its file.',
  none: 'This agent does not report its policy. A newer version of the agent does.',
  databases: 'Databases by role',
  urls: 'Patterns for other databases by role',
  entries: { source: 'source', target: 'target', snapshot: 'snapshot', restore: 'restore' },
  noEntries: 'None',
  sslmode: 'Least encryption of connections',
  sslmodes: {
    require: 'Encrypted',
    verify_ca: 'Encrypted, certificate checked',
    verify_full: 'Encrypted, certificate and name checked',
  } as Readonly<Record<string, string>>,
  unknown: 'Unknown to this control plane',
  plaintext: 'Unencrypted connections',
  neverPreserve: 'Patterns of columns that must be masked',
  protectText: 'Text columns must be masked',
  mayPreserve: 'Patterns of text columns that may be kept',
  rejectUnlisted: 'Each column of a job needs a rule',
  where: 'Subsets with a condition',
  training: 'Training of private models',
  minValues: 'Least number of values behind a transition',
  snapshotAge: 'Snapshots are protected for',
  keepReplaced: 'Replaced databases are kept for',
  reportNames: 'Reports may contain names of tables and columns',
  allowSharedSchemas: 'Functions of shared schemas may run on targets',
  sourceCode: 'Functions of the source on targets',
  superuserTarget: 'Superusers as roles of targets',
  hours: (hours: number) => {
    if (hours === 0) return 'Not at all';
    return hours === 1 ? '1 hour' : `${hours} hours`;
  },
  allowed: 'Allowed',
  refused: 'Refused',
  yes: 'Yes',
  no: 'No',
} as const;

export const TEXTS = {
  title: 'Agents',
  meta: 'An agent runs in the network of your databases. It connects to this control plane, copies and masks there, and sends only states, counts and hashes.',
  enrol: 'Connect an agent',
  caption: 'Agents',
  columns: {
    name: 'Name',
    status: 'Status',
    lastSeen: 'Last seen',
    slots: 'Free slots',
    databases: 'Databases',
    version: 'Version',
  },
  statuses: { live: 'Live', away: 'Away', revoked: 'Revoked' } as Readonly<Record<string, string>>,
  slots: (free: number, all: number | null) => (all === null ? String(free) : `${free} of ${all}`),
  more: (shown: number, total: number) => `The list shows ${shown} of ${total} agents.`,
  empty: {
    title: 'No agent is connected',
    text: 'Jobs need an agent beside your databases. You need one command line there, and no open port.',
  },
  stores: { none: 'None', folder: 'Folder', bucket: 'S3 bucket' } as Readonly<Record<string, string>>,
  unknown: 'Not reported',
  never: 'Never',
  facts: {
    title: 'Facts',
    id: 'Id',
    version: 'Version',
    lastSeen: 'Last seen',
    started: 'Started',
    enrolled: 'Enrolled',
    slots: 'Free slots',
    store: 'Snapshot store',
    labels: 'Labels',
    fingerprint: 'Fingerprint of the masking key',
    fingerprintHint: 'Agents with the same fingerprint give the same masked values.',
  },
  running: {
    title: 'Running now',
    none: 'This agent has no work at the moment.',
    kinds: { sync_job: 'Sync job', snapshot: 'Snapshot', restore: 'Restore' } as Readonly<
      Record<string, string>
    >,
    since: 'since',
  },
  databases: {
    title: 'Databases',
    text: 'Jobs use these names as connection strings. The URLs never leave the agent.',
    none: 'The policy of this agent names no database.',
    copy: (name: string) => `Connection string of ${name}`,
  },
  policy,
  models: {
    title: 'Private models',
    text: 'The agent trained these models on your columns. Only names, hashes and times are known here, because a model could reveal values of the column. The models never leave the agent.',
    none: 'This agent has trained no model. A rule of a job can train one.',
    columns: { name: 'Name', hash: 'Hash', trained: 'Trained' },
  },
  conflict: {
    title: 'Two processes used the identity of this agent',
    text: 'The control plane refused the older process. Usually a machine with the state folder was copied. Stop one of them, and enrol it as a separate agent.',
  },
  revoke: 'Revoke',
  revocation: (name: string) => ({
    title: `Revoke the agent ${name}?`,
    text: 'The agent is disconnected and cannot come back. Its running work continues on another agent if there is one, and fails otherwise. To use the machine again, enrol it as a new agent.',
    confirmLabel: 'Revoke agent',
    done: `The agent ${name} is revoked.`,
  }),
  enrolment: {
    title: 'Connect an agent',
    intro:
      'Install the agent on a machine or a cluster that reaches the databases, from the files of the release. It opens connections only to the outside.',
    create: 'Create enrolment token',
    createText: 'The token lets one agent join this organisation. It is valid for one hour and works once.',
    tokenStep: '1. Copy the enrolment token',
    tokenText: 'A command waits for it below. It works once, within one hour, and is not shown again.',
    token: 'Enrolment token',
    waysLabel: 'Ways to install the agent',
    databasesStep: '2. Name the databases that jobs may use',
    startStep: '3. Install and start the agent',
    shell: (way: string) => `Shell, ${way}`,
    ways: {
      npm: {
        label: 'npm and systemd',
        file: 'policy.yaml',
        fileText:
          'Save this as policy.yaml on the machine, with your URLs, which stay there. Use a database user that can only read the source.',
        startText: 'Run the commands in the folder of policy.yaml. The second asks for the token.',
      },
      container: {
        label: 'Container',
        file: 'policy.yaml',
        fileText:
          'Save this as policy.yaml on the machine, with your URLs, which stay there. Use a database user that can only read the source.',
        startText:
          'Run the commands in the folder of policy.yaml. The second waits for the token: paste it and press Enter. Podman accepts the same commands.',
      },
      helm: {
        label: 'Helm',
        file: 'values.yaml',
        fileText:
          'Save this as values.yaml, with the addresses of your control plane and databases. The URLs of the databases are in Secrets of your cluster.',
        startText:
          'Run the commands in the folder of values.yaml. The first waits for the token: paste it and press Enter.',
      },
    },
    waiting: 'Waiting for the agent to connect …',
    expired: 'The token has expired before an agent used it. Create a new one.',
    again: 'Create another token',
    connected: 'The agent is connected.',
    show: 'Show the agent',
    lost: 'The token was created, but its text was lost on the way. Create another one.',
  },
  back: 'Agents',
} as const;
