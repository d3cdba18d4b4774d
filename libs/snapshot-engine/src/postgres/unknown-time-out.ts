/**
 * From 17 on pg_restore switches `transaction_timeout` off in each of its sessions; servers before 17 do not know that setting, which is
 * to say that it is off. Told to end at the first error pg_restore ends there, before it has made anything.
 */
export function isUnknownTimeOut(stderr: string): boolean {
  return TIME_OUT.test(stderr);
}

/**
 * Of a pg_restore that was told to go on after errors: whether that one was all. It counts those of its first session, which connects twice where others
 * work beside it, and each entry with an error; not what the other sessions meet before their first entry.
 * @param jobs sessions at once
 */
export function hasUnknownTimeOutsOnly(stderr: string, jobs: number): boolean {
  return Number(IGNORED.exec(stderr)?.[1]) === (jobs > 1 ? 2 : 1);
}

const TIME_OUT =
  /^pg_restore: error: could not execute query: ERROR: +unrecognized configuration parameter "transaction_timeout"$/m;
const IGNORED = /^pg_restore: warning: errors ignored on restore: (\d+)$(?![^]*^pg_restore: )/m;
