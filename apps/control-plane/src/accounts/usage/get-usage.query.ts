import { parseInstant } from '@understudy/sync-job';
import { Matches } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { Optional, expected } from '../../platform/http/dto/field-validators.js';
import { validationError, type FieldProblem } from '../../platform/http/errors/api-error.js';
import { DAY_MS, dayOf } from './billing-cycle.js';

/** The maximum number of days in one response. */
export const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;
/** The number of days for which counts are kept. */
export const USAGE_KEEP_DAYS = 400;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_EXPECTED = 'a day like 2026-01-31';

export class GetUsageQuery {
  @Documented(
    `First day in UTC, among the last ${USAGE_KEEP_DAYS} days. Default: 29 days before \`last_day\`.`,
  )
  @Optional()
  @Matches(DAY, expected(DAY_EXPECTED))
  first_day?: string;

  @Documented(`Last day in UTC, at most ${MAX_DAYS - 1} days after \`first_day\`. Default: today.`)
  @Optional()
  @Matches(DAY, expected(DAY_EXPECTED))
  last_day?: string;
}

/**
 * Returns the days of the range, both ends included, in the form `2026-01-31`.
 * @throws ApiError `validation_error` for a day that does not exist, or a range that is too early or too long
 */
export function daysOf({ first_day: from, last_day: to }: GetUsageQuery, now: Date): readonly string[] {
  const last = parseInstant(to ?? dayOf(now));
  if (!last) throw problem('last_day', `expected ${DAY_EXPECTED} that exists`);
  const first =
    from === undefined ? new Date(last.getTime() - (DEFAULT_DAYS - 1) * DAY_MS) : parseInstant(from);
  if (!first) throw problem('first_day', `expected ${DAY_EXPECTED} that exists`);
  const count = (last.getTime() - first.getTime()) / DAY_MS + 1;
  if (count < 1) throw problem('last_day', 'expected `first_day` or a later day');
  if (count > MAX_DAYS)
    throw problem('last_day', `expected a range of at most ${MAX_DAYS} days, got ${count} days`);
  const earliest = dayOf(new Date(now.getTime() - (USAGE_KEEP_DAYS - 1) * DAY_MS));
  if (dayOf(first) < earliest)
    throw problem(
      'first_day',
      `expected ${earliest} or later, because counts are kept for ${USAGE_KEEP_DAYS} days`,
    );
  return Array.from({ length: count }, (_, index) => dayOf(new Date(first.getTime() + index * DAY_MS)));
}

const problem = (field: FieldProblem['field'], message: string) => validationError([{ field, message }]);
