import type { NatsServerFiles } from './account-claims.js';

export interface NatsServerPlace {
  readonly host: string;
  readonly port: number;
  /** Absolute folder of its own: JetStream data and account JWTs. */
  readonly dataFolder: string;
  readonly pidFile?: string;
}

/** The server's own 2 s are too short where a client has to wait for its turn on the processor. */
const SIGN_IN_SECONDS = 30;

/** The text of a nats-server configuration in operator mode, with JetStream and a resolver that keeps pushed account JWTs. */
export function natsServerConfiguration(files: NatsServerFiles, place: NatsServerPlace): string {
  return `host: ${quote(place.host)}
port: ${place.port}
${place.pidFile === undefined ? '' : `pid_file: ${quote(place.pidFile)}\n`}max_payload: 4MB
authorization: {
  timeout: ${SIGN_IN_SECONDS}
}
operator: ${files.operatorJwt}
system_account: ${files.systemAccountPublicKey}
resolver: {
  type: full
  dir: ${quote(`${place.dataFolder}/accounts`)}
  allow_delete: false
}
resolver_preload: {
  ${files.accountPublicKey}: ${files.accountJwt}
  ${files.agentAccountPublicKey}: ${files.agentAccountJwt}
  ${files.systemAccountPublicKey}: ${files.systemAccountJwt}
}
jetstream: {
  store_dir: ${quote(`${place.dataFolder}/jetstream`)}
}
`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
