import type { ReceivedDatabase } from './received-database.js';

/** A database as it came, as text that may lie on the disk: a URL stays sealed. */
export function sealedText(database: ReceivedDatabase): string {
  if (database.kind === 'agent') return JSON.stringify(database);
  const { encapsulatedKey, ciphertext } = database.box;
  return JSON.stringify({ kind: 'sealed', key: base64(encapsulatedKey), text: base64(ciphertext) });
}

/** @param text what {@link sealedText} made */
export function fromSealedText(text: string): ReceivedDatabase {
  const read = JSON.parse(text) as
    { kind: 'agent'; name: string } | { kind: 'sealed'; key: string; text: string };
  if (read.kind === 'agent') return read;
  const bytes = (base: string) => new Uint8Array(Buffer.from(base, 'base64'));
  return { kind: 'sealed', box: { encapsulatedKey: bytes(read.key), ciphertext: bytes(read.text) } };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
