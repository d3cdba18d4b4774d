import sodium from 'sodium-native';

/** Plaintext of one block of a sealed stream; the last of a stream may hold less, down to nothing. */
export const BLOCK_BYTES = 65_536;

/** What sealing adds to a block: its tag and its authenticator. */
const BLOCK_OVERHEAD = sodium.crypto_secretstream_xchacha20poly1305_ABYTES;

export const SEALED_BLOCK_BYTES = BLOCK_BYTES + BLOCK_OVERHEAD;

/** Stands before the first block: the stream's nonce. */
export const STREAM_HEADER_BYTES = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES;

export { BLOCK_OVERHEAD };

/** @returns how long a sealed stream is that holds `bytes` of plaintext */
export function sealedLength(bytes: number): number {
  return STREAM_HEADER_BYTES + bytes + Math.max(1, Math.ceil(bytes / BLOCK_BYTES)) * BLOCK_OVERHEAD;
}
