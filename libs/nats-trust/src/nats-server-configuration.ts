import type { NatsServerFiles } from './account-claims.js';

export interface NatsServerOptions {
  readonly host: string;
  readonly port: number;
  /** An absolute folder for JetStream data and account JWTs. No other program may use it. */
  readonly dataFolder: string;
  readonly pidFile?: string;
}

/** The server's default of 2 s is too short for a client on a busy machine. */
const SIGN_IN_SECONDS = 30;

/**
 * Returns the text of a nats-server configuration in operator mode, with JetStream and a resolver that stores
 * the account JWTs that are pushed to it.
 */
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
