import { stringify } from 'yaml';

/**
 * The policy of the stack's own agent: every database of the stack's own server, as source and as target; on loopback of
 * every server of this machine, so that a developer can point it at a database of their own.
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
  // The agent takes no YAML aliases, which `roles`, standing twice, would become.
  const text = stringify(policy, { aliasDuplicateObjects: false });
  return `# Written by "npm run stack -- up", which writes it anew at each start.\n${text}`;
}
