import type { NatsServerFiles } from './account-claims.js';

export interface NatsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Absolute folder of its own: JetStream data and account JWTs. */
  readonly dataFolder: string;
  readonly pidFile?: string;
}

/** The server's own 2 s are too short where a client has to wait for its turn on the processor. */
const SIGN_IN_SECONDS = 30;

/** The text of a nats-server configuration in operator mode, with JetStream and a resolver that keeps pushed account JWTs. */
export function natsServerConfiguration(files: NatsServerFiles, options: NatsServerOptions): string {
  return `host: ${quote(options.host)}
port: ${options.port}
${options.pidFile === undefined ? '' : `pid_file: ${quote(options.pidFile)}\n`}max_payload: 4MB
authorization: {
  timeout: ${SIGN_IN_SECONDS}
}
operator: ${files.operatorJwt}
system_account: ${files.systemAccountPublicKey}
resolver: {
  type: full
  dir: ${quote(`${options.dataFolder}/accounts`)}
  allow_delete: false
}
resolver_preload: {
  ${files.accountPublicKey}: ${files.accountJwt}
  ${files.agentAccountPublicKey}: ${files.agentAccountJwt}
  ${files.systemAccountPublicKey}: ${files.systemAccountJwt}
}
jetstream: {
  store_dir: ${quote(`${options.dataFolder}/jetstream`)}
}
`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
