/** An idempotency key that is reserved for one running request. */
export interface Reservation {
  readonly organizationId: string;
  readonly operation: string;
  readonly keyHash: Uint8Array;
  /**
   * The id of the request that reserved the key. A request that takes over the key stores its own id here.
   */
  readonly holder: string;
  /** True after the request has succeeded or failed. Later transactions do not count as an effect of the request. */
  isOver: boolean;
}

/** One use of a key by a client. Neither the key nor the body can be derived from these fields. */
export interface KeyUse {
  readonly organizationId: string;
  readonly operation: string;
  /** SHA-256 of the key. */
  readonly keyHash: Uint8Array;
  /**
   * HMAC-SHA-256 of path and body. Its secret is the client's idempotency key, which is not stored. Bodies
   * can contain passwords, and a hash without a secret would allow tests of guessed passwords.
   */
  readonly fingerprint: Uint8Array;
}

export interface KeptResponse {
  readonly status: number;
  readonly data: unknown;
  /** Additional fields of the response's `meta`, or null. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}
