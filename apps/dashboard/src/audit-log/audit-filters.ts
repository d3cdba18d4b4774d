import { searchReader } from '../api/search.js';

/** The API accepts no longer id. */
const MAX_ID_LENGTH = 300;

/** Reads the filters of the audit log from the address. It leaves out each value that the API would refuse. */
export const readAuditFilters = searchReader({
  action: readId,
  /** The id of a token, member or agent. */
  actor: readId,
  /** The id of the changed resource. */
  target: readId,
  /** The id of the request that made the changes. */
  request: readId,
  /** The first day, for example `2026-11-25`, in the reader's zone. */
  from: readDay,
  /** The last day, which is included. */
  to: readDay,
});

/** The filters of the audit log, as the address of the page holds them. */
export type AuditFilters = ReturnType<typeof readAuditFilters>;

function readId(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length > 0 && text.length <= MAX_ID_LENGTH ? text : undefined;
}

function readDay(value: unknown): string | undefined {
  return startOfDay(value) && String(value);
}

/** Returns the instants between which the days of the filters are, for the API. */
export function instantsOf({ from, to }: AuditFilters): {
  occurred_after?: string;
  occurred_before?: string;
} {
  const start = startOfDay(from);
  const end = startOfDay(to, 1);
  return {
    ...(start && { occurred_after: start.toISOString() }),
    ...(end && { occurred_before: end.toISOString() }),
  };
}

/**
 * Returns the first instant of a day in the reader's zone, or of a later day.
 * @returns undefined if the value is not a day between the years 1000 and 9999
 */
function startOfDay(value: unknown, daysLater = 0): Date | undefined {
  const match = typeof value === 'string' ? /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(value) : null;
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1) return undefined; // such as February 30
  return new Date(year, month - 1, day + daysLater);
}
