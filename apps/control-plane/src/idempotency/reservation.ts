/** A key that one request holds while it is carried out. */
export interface Reservation {
  readonly organizationId: string;
  readonly operation: string;
  readonly keyHash: Uint8Array;
  /** The request that holds it; whoever takes the key over puts another one here. */
  readonly holder: string;
  /** Set when the request is answered: work that it started, and that goes on, is not part of it any more. */
  isOver: boolean;
}

/** What a key is used for, as a client asks. Nothing of it can be turned back into the key or the body. */
export interface KeyUse {
  readonly organizationId: string;
  readonly operation: string;
  /** SHA-256 of the key. */
  readonly keyHash: Uint8Array;
  /** HMAC-SHA-256 of path and body under the key: bodies hold passwords, and a plain hash could be confirmed by guessing. */
  readonly fingerprint: Uint8Array;
}

export interface KeptAnswer {
  readonly status: number;
  readonly data: unknown;
  /** The answer's own keys in `meta`; null without any. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}
