/** A row's head is held whole; past this it is an error instead of the process's memory. */
export const MAX_HEAD_BYTES = 64 * 1024 * 1024;

/** A row's head is too long to be held. */
export class HeadTooLongError extends Error {
  /** @param field the head's field that goes on past the limit, from 0 */
  constructor(readonly field: number) {
    super(`the fields that rules read hold more than ${MAX_HEAD_BYTES / 1024 / 1024} MiB in one row`);
    this.name = 'HeadTooLongError';
  }
}
