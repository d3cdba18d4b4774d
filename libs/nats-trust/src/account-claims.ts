import { decode, encodeAccount, encodeOperator } from '@nats-io/jwt';
import { exportedSubjects, importedSubjects } from './crossing-subjects.js';
import { keyPairOf, type NatsSeeds } from './nats-seeds.js';
import { AGENT_CONNECTION_LIMITS } from './user-claims.js';

/** What a nats-server needs in its configuration to trust a deployment's control plane. */
export interface NatsServerFiles {
  readonly operatorJwt: string;
  readonly accountPublicKey: string;
  readonly accountJwt: string;
  readonly agentAccountPublicKey: string;
  readonly agentAccountJwt: string;
  readonly systemAccountPublicKey: string;
  readonly systemAccountJwt: string;
}

/**
 * Derives the configuration of a nats-server in operator mode. The JWTs differ from call to call (they hold the time of
 * issue): write the configuration once, or an older account JWT with revocations gives way to a newer one without.
 */
export async function natsServerFiles(seeds: NatsSeeds): Promise<NatsServerFiles> {
  const operator = keyPairOf('operator', seeds.operator);
  const systemAccountPublicKey = keyPairOf('account', seeds.systemAccount).getPublicKey();
  return {
    operatorJwt: await encodeOperator('understudy', operator, { system_account: systemAccountPublicKey }),
    accountPublicKey: keyPairOf('account', seeds.account).getPublicKey(),
    accountJwt: await accountClaims(seeds),
    agentAccountPublicKey: keyPairOf('account', seeds.agentAccount).getPublicKey(),
    agentAccountJwt: await agentAccountClaims(seeds, new Map()),
    systemAccountPublicKey,
    systemAccountJwt: await encodeAccount(
      'SYS',
      keyPairOf('account', seeds.systemAccount),
      { limits: { ...CONNECTION_LIMITS } },
      { signer: operator },
    ),
  };
}

/** The JWT of the control plane's account: it has JetStream, and exports what agents need of it. */
export function accountClaims(seeds: Pick<NatsSeeds, 'operator' | 'account'>): Promise<string> {
  return encodeAccount(
    'CONTROL',
    keyPairOf('account', seeds.account),
    { limits: { ...CONNECTION_LIMITS, ...JETSTREAM_LIMITS }, exports: exportedSubjects() },
    { signer: keyPairOf('operator', seeds.operator) },
  );
}

/**
 * The JWT of the account all agents live in: without JetStream, so that no subject an agent can make the server send to
 * (permissions do not cover reply subjects) means anything to JetStream except what is imported.
 * @param revoked user public key → epoch seconds; users whose JWT was issued up to that second (included) are refused
 */
export function agentAccountClaims(
  seeds: Pick<NatsSeeds, 'operator' | 'account' | 'agentAccount'>,
  revoked: ReadonlyMap<string, number>,
): Promise<string> {
  return encodeAccount(
    'AGENTS',
    keyPairOf('account', seeds.agentAccount),
    {
      limits: { ...AGENT_ACCOUNT_LIMITS },
      imports: importedSubjects(keyPairOf('account', seeds.account).getPublicKey()),
      revocations: Object.fromEntries(revoked),
    },
    { signer: keyPairOf('operator', seeds.operator) },
  );
}

/** Whether two account JWTs grant the same, whenever they were issued; a text that is no JWT is like none. */
export function sameAccountClaims(one: string, other: string): boolean {
  try {
    return JSON.stringify(decode(one).nats) === JSON.stringify(decode(other).nats);
  } catch {
    return false;
  }
}

// A missing limit reads as 0, which is "none at all"; −1 is "no limit".
const CONNECTION_LIMITS = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
};
/**
 * Agents of all organisations share the account. Limits that are counted for the whole account (connections) stay open:
 * one agent could use them up. `subs` and `payload` hold for each connection.
 */
const AGENT_ACCOUNT_LIMITS = {
  ...CONNECTION_LIMITS,
  ...AGENT_CONNECTION_LIMITS,
  imports: importedSubjects('').length,
  exports: 0,
  leaf: 0,
};
const JETSTREAM_LIMITS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
