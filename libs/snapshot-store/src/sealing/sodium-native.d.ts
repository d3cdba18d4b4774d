/**
 * Types of the functions of sodium-native 5 that this library uses, because sodium-native has no types. The
 * functions call libsodium's `crypto_secretstream_*`. Each buffer must have exactly the size that libsodium
 * requires.
 */
declare module 'sodium-native' {
  const sodium: {
    readonly crypto_secretstream_xchacha20poly1305_ABYTES: 17;
    readonly crypto_secretstream_xchacha20poly1305_HEADERBYTES: 24;
    readonly crypto_secretstream_xchacha20poly1305_STATEBYTES: number;
    readonly crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: number;
    readonly crypto_secretstream_xchacha20poly1305_TAG_FINAL: number;
    crypto_secretstream_xchacha20poly1305_init_push(
      state: Uint8Array,
      header: Uint8Array,
      key: Uint8Array,
    ): void;
    crypto_secretstream_xchacha20poly1305_push(
      state: Uint8Array,
      ciphertext: Uint8Array,
      message: Uint8Array,
      additional: null,
      tag: number,
    ): number;
    crypto_secretstream_xchacha20poly1305_init_pull(
      state: Uint8Array,
      header: Uint8Array,
      key: Uint8Array,
    ): void;
    /** Throws if the block is not the next one of this stream. */
    crypto_secretstream_xchacha20poly1305_pull(
      state: Uint8Array,
      message: Uint8Array,
      tag: Uint8Array,
      ciphertext: Uint8Array,
      additional: null,
    ): number;
    sodium_memzero(bytes: Uint8Array): void;
  };
  export default sodium;
}
