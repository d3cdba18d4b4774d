import { encodeUser } from '@nats-io/jwt';
import { createUser, type KeyPair } from '@nats-io/nkeys';

import { keyPairOf } from './nats-seeds.js';
import { systemKeyPair } from './system-key-pair.js';

export interface SubjectPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * The limits of one connection of an agent. An agent needs four subscriptions, and a few more while it
 * reconnects. Its largest event contains the names of 10,000 tables. nats-server does not enforce `data`.
 */
export const AGENT_CONNECTION_LIMITS = { subs: 64, payload: 2 * 1024 * 1024, data: -1 } as const;

/**
 * Returns the JWT of one agent, which may use the listed subjects and nothing else.
 * @param issuedAtSeconds epoch seconds that the server compares with revocations. The default is the current
 *   time.
 * @param expiresAtSeconds epoch seconds at which the server closes the connection
 */
export async function agentUserClaims(options: {
  readonly accountSeed: string;
  readonly agentId: string;
  readonly userPublicKey: string;
  readonly permissions: SubjectPermissions;
  readonly issuedAtSeconds?: number;
  readonly expiresAtSeconds: number;
}): Promise<string> {
  const account = keyPairOf('account', options.accountSeed);
  const jwt = await encodeUser(
    options.agentId,
    options.userPublicKey,
    account,
    {
      pub: { allow: [...options.permissions.publish] },
      sub: { allow: [...options.permissions.subscribe] },
      allowed_connection_types: ['STANDARD', 'WEBSOCKET'],
      ...AGENT_CONNECTION_LIMITS,
    },
    { exp: options.expiresAtSeconds },
  );
  return options.issuedAtSeconds === undefined ? jwt : issuedAt(jwt, options.issuedAtSeconds, account);
}

/** Signs a JWT again with another time of issue. The library always uses the current time. */
function issuedAt(jwt: string, seconds: number, account: KeyPair): string {
  const [header = '', body = ''] = jwt.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const changed = Buffer.from(JSON.stringify({ ...claims, iat: seconds })).toString('base64url');
  const signature = account.sign(new TextEncoder().encode(`${header}.${changed}`));
  return `${header}.${changed}.${Buffer.from(signature).toString('base64url')}`;
}

/** An authenticator for the NATS client. Returns the credentials for a new connection. */
export type SignIn = (nonce?: string) => {
  readonly jwt: string;
  readonly nkey: string;
  readonly sig: string;
};

/**
 * Creates a user without limits in the seed's account, for a connection of this process. The user's rights do
 * not exceed those of the process, because anyone who has the account's seed can create users.
 */
export async function trustedUser(name: string, accountSeed: string): Promise<SignIn> {
  const user = systemKeyPair(createUser().getSeed());
  const nkey = user.getPublicKey();
  const jwt = await encodeUser(name, nkey, keyPairOf('account', accountSeed));
  const sign = (nonce: string) => Buffer.from(user.sign(new TextEncoder().encode(nonce))).toString('base64');
  return (nonce) => ({ jwt, nkey, sig: nonce ? sign(nonce) : '' });
}
