import { stringify } from 'yaml';

/**
 * Builds the policy of the stack's agent. It allows every database of the stack's server and of every server
 * on this machine, as source and as target. A developer can therefore use their own databases.
 */
export function agentPolicy(databasesUrl: string): string {
  const url = new URL(databasesUrl);
  const isLocal = ['127.0.0.1', 'localhost'].includes(url.hostname);
  const hosts = isLocal ? ['127.0.0.1', 'localhost'] : [url.hostname];
  const port = isLocal ? '*' : Number(url.port || 5432);
  const roles = ['source', 'target', 'snapshot', 'restore'];
  const policy = {
    urls: hosts.map((host) => ({ host, port, databases: ['*'], roles })),
    allow_where: true,
  };
  // The agent rejects YAML aliases, which the repeated `roles` would become.
  const text = stringify(policy, { aliasDuplicateObjects: false });
  return `# Written by "npm run stack -- up", which overwrites it at each start.\n${text}`;
}
