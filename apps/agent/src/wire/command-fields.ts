import type { DatabaseReference as WireDatabaseReference } from '@understudy/contract';
import type { SealedBox } from '@understudy/sealed-box';

import type { ExpectedOffer } from '../policy/agent-offer.js';

/** A reference to a database in a received command. A URL is still sealed. */
export type ReceivedDatabase = StoredDatabase & {
  /** The offer under which this agent got the work; absent from earlier control planes. */
  readonly offer?: ExpectedOffer;
};

/** A reference to a database in the form that may be stored on the disk. */
export type StoredDatabase =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'sealed'; readonly box: SealedBox };

/**
 * Decodes a database reference.
 * @throws TypeError if it is missing
 */
export function receivedDatabase(database: WireDatabaseReference | undefined): ReceivedDatabase {
  const reference = database?.reference;
  const offer = database?.offer === undefined ? {} : { offer: database.offer };
  switch (reference?.case) {
    case 'agentDatabase':
      return { kind: 'agent', name: reference.value, ...offer };
    case 'sealedUrl':
      return { kind: 'sealed', box: reference.value, ...offer };
    default:
      throw new TypeError('expected a command with a database');
  }
}

/** Returns the grace period of a command in seconds. A longer one than the protocol allows is shortened. */
export function graceSeconds({ gracePeriodSeconds }: { readonly gracePeriodSeconds: number }): number {
  return Math.min(gracePeriodSeconds, MAX_GRACE_SECONDS);
}

const MAX_GRACE_SECONDS = 86_400;

/** Matches the ids that the control plane creates. */
export const ID = /^[A-Za-z0-9_]{1,64}$/;

/** Returns the reference as text that may be stored on the disk. A URL stays sealed. */
export function sealedText(database: ReceivedDatabase): string {
  if (database.kind === 'agent') return JSON.stringify({ kind: 'agent', name: database.name });
  const { encapsulatedKey, ciphertext } = database.box;
  return JSON.stringify({ kind: 'sealed', key: base64(encapsulatedKey), text: base64(ciphertext) });
}

/** Parses the text that {@link sealedText} returned. */
export function fromSealedText(text: string): StoredDatabase {
  const read = JSON.parse(text) as
    | { kind: 'agent'; name: string }
    | { kind: 'sealed'; key: string; text: string };
  if (read.kind === 'agent') return read;
  const bytes = (base: string) => new Uint8Array(Buffer.from(base, 'base64'));
  return { kind: 'sealed', box: { encapsulatedKey: bytes(read.key), ciphertext: bytes(read.text) } };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
