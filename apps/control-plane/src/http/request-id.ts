import { ulid } from 'ulid';

/** Ours alone: what a client calls its request is never taken over. */
export const newRequestId = (): string => `req_${ulid()}`;
