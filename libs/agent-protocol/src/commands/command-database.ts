import type { MessageInitShape } from '@bufbuild/protobuf';

import type { DatabaseReference, DatabaseReferenceSchema } from '../schema/index.js';
import { bytesOfHex, hexOf } from '../wire-values.js';

/** The fingerprints under which an agent got work: of the policy for one database, and of the masking key. */
export interface ExpectedOffer {
  readonly policy: string;
  readonly maskingKey: string;
}

/** A reference to a database in a command. */
export type CommandDatabase = (
  | { readonly kind: 'agent'; readonly name: string }
  /** Sealed to the addressed agent's X25519 key; the control plane cannot open it. */
  | { readonly kind: 'sealed'; readonly encapsulatedKey: Uint8Array; readonly ciphertext: Uint8Array }
) & {
  /** The offer under which the agent got the work; absent if the work requires none. */
  readonly offer?: ExpectedOffer;
};

export function wireDatabase(database: CommandDatabase): MessageInitShape<typeof DatabaseReferenceSchema> {
  const { offer } = database;
  return {
    reference:
      database.kind === 'agent'
        ? { case: 'agentDatabase', value: database.name }
        : {
            case: 'sealedUrl',
            value: { encapsulatedKey: database.encapsulatedKey, ciphertext: database.ciphertext },
          },
    ...(offer && { offer: { policy: bytesOfHex(offer.policy), maskingKey: bytesOfHex(offer.maskingKey) } }),
  };
}

/** @throws TypeError if the database is missing */
export function databaseOf(wire: DatabaseReference | undefined): CommandDatabase {
  const reference = wire?.reference;
  const expected = wire?.offer && {
    offer: { policy: hexOf(wire.offer.policy), maskingKey: hexOf(wire.offer.maskingKey) },
  };
  switch (reference?.case) {
    case 'agentDatabase':
      return { kind: 'agent', name: reference.value, ...expected };
    case 'sealedUrl': {
      const { encapsulatedKey, ciphertext } = reference.value;
      return { kind: 'sealed', encapsulatedKey, ciphertext, ...expected };
    }
    default:
      throw new TypeError('expected a command with a database');
  }
}

/** Returns the grace period of a command in seconds. A longer one than the protocol allows is shortened. */
export function graceSeconds({ gracePeriodSeconds }: { readonly gracePeriodSeconds: number }): number {
  return Math.min(gracePeriodSeconds, MAX_GRACE_SECONDS);
}

const MAX_GRACE_SECONDS = 86_400;
