import type { DatabaseReference as WireDatabaseReference } from '@understudy/contract';
import type { SealedBox } from '@understudy/sealed-box';

/** A database as a command names it: URLs are sealed still. */
export type ReceivedDatabase =
  { readonly kind: 'agent'; readonly name: string } | { readonly kind: 'sealed'; readonly box: SealedBox };

/** @throws TypeError for none */
export function receivedDatabase(database: WireDatabaseReference | undefined): ReceivedDatabase {
  const reference = database?.reference;
  switch (reference?.case) {
    case 'agentDatabase':
      return { kind: 'agent', name: reference.value };
    case 'sealedUrl':
      return { kind: 'sealed', box: reference.value };
    default:
      throw new TypeError('a command without a database');
  }
}

/** Ids of the control plane. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;
