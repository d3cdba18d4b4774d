import { decode, encodeAccount, encodeOperator } from '@nats-io/jwt';
import { exportedSubjects, importedSubjects } from './crossing-subjects.js';
import { keyPairOf, type NatsSeeds } from './nats-seeds.js';
import { AGENT_CONNECTION_LIMITS } from './user-claims.js';

/** The parts of a nats-server configuration that make the server trust a deployment's control plane. */
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
 * Derives the configuration of a nats-server in operator mode. The JWTs contain the time of issue, so they
 * differ from call to call. Write the configuration only once: a newer account JWT without revocations would
 * replace an older one that has them.
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

/**
 * Returns the JWT of the control plane's account, which has JetStream and exports the subjects that agents
 * need.
 */
export function accountClaims(seeds: Pick<NatsSeeds, 'operator' | 'account'>): Promise<string> {
  return encodeAccount(
    'CONTROL',
    keyPairOf('account', seeds.account),
    { limits: { ...CONNECTION_LIMITS, ...JETSTREAM_LIMITS }, exports: exportedSubjects() },
    { signer: keyPairOf('operator', seeds.operator) },
  );
}

/**
 * Returns the JWT of the account that all agents share. The account has no JetStream and imports only the
 * subjects that agents need. NATS does not check permissions for reply subjects, so an agent can make the
 * server send to any subject of this account.
 * @param revoked user public key → epoch seconds; users whose JWT was issued up to and including that second
 *   are refused
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

/**
 * Returns whether two account JWTs grant the same rights, ignoring the time of issue. Returns false if one is
 * not a JWT.
 */
export function sameAccountClaims(one: string, other: string): boolean {
  try {
    return JSON.stringify(decode(one).nats) === JSON.stringify(decode(other).nats);
  } catch {
    return false;
  }
}

// A missing limit is read as 0, which means "nothing"; −1 means "no limit".
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
 * Agents of all organisations share the account. Limits for the whole account, such as the number of
 * connections, are not set, because a single agent could use them up. `subs` and `payload` are limits for
 * each connection.
 */
const AGENT_ACCOUNT_LIMITS = {
  ...CONNECTION_LIMITS,
  ...AGENT_CONNECTION_LIMITS,
  imports: importedSubjects('').length,
  exports: 0,
  leaf: 0,
};
const JETSTREAM_LIMITS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
