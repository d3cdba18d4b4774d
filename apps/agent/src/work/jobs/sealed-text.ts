import type { CommandDatabase } from '@understudy/agent-protocol';

/** Returns the reference as text that may be stored on the disk. A URL stays sealed. */
export function sealedText(database: CommandDatabase): string {
  if (database.kind === 'agent') return JSON.stringify({ kind: 'agent', name: database.name });
  const { encapsulatedKey, ciphertext } = database;
  return JSON.stringify({ kind: 'sealed', key: base64(encapsulatedKey), text: base64(ciphertext) });
}

/** Parses the text that {@link sealedText} returned. */
export function fromSealedText(text: string): CommandDatabase {
  const read = JSON.parse(text) as
    | { kind: 'agent'; name: string }
    | { kind: 'sealed'; key: string; text: string };
  if (read.kind === 'agent') return read;
  const bytes = (base: string) => new Uint8Array(Buffer.from(base, 'base64'));
  return { kind: 'sealed', encapsulatedKey: bytes(read.key), ciphertext: bytes(read.text) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
