import {
  DAY_MS,
  formatDate,
  formatInstant,
  formatTime,
  hasAmbiguousUnit,
  INSTANT_FORMS,
  INSTANT_VALUES,
  resolveInstant,
} from '@understudy/expression';
import type { CountedDraw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import type { Problem } from '../../definition/errors.js';
import { consecutive, evenVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

const DAY_SECONDS = DAY_MS / 1000;
const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2}))?$/;

const DAY = /^\d{4}(-\d\d){0,2}$/;
const DAY_IS_INSTANT = 'A bound without a time, such as 2026-01-31, is the first instant of that day.';

/** The bounds of a range of instants, in either order. */
export const RANGE: ParamsManifest = {
  start: {
    type: 'string',
    default: '1970-01-01',
    description: `One bound: ISO 8601 like ${INSTANT_FORMS}, or relative like now, today, -1year or now+7days.`,
  },
  end: {
    type: 'string',
    default: '2038-01-01',
    description: 'The other bound. The bounds may be in either order.',
  },
};

export const datetimeBetweenType = defineGenerator({
  name: svcName('datetime_between'),
  description: `A date-time in UTC with milliseconds. Both bounds are included. ${DAY_IS_INSTANT}`,
  params: RANGE,
  mistakes: mistakesInUnits,
  warnings: warnAboutDay,
  output: 'string',
  examples: [svcExample('datetime_between', { start: '-1year', end: 'now' }), svcExample('datetime_between')],
  build(parameters, _, { nowMs }) {
    const [from, to] = readRange(parameters, nowMs);
    return evenly(from, to, formatInstant);
  },
});

export const dateBetweenType = defineGenerator({
  name: svcName('date_between'),
  description: 'A date. The days of both bounds are included.',
  params: RANGE,
  mistakes: mistakesInUnits,
  output: 'string',
  examples: [
    svcExample('date_between', { start: '1950-01-01', end: '-18years' }),
    svcExample('date_between'),
  ],
  build(parameters, _, { nowMs }) {
    const [from, to] = readRange(parameters, nowMs).map((ms) => Math.floor(ms / DAY_MS)) as [number, number];
    return evenly(from, to, (day) => formatDate(day * DAY_MS));
  },
});

export const timestampType = defineGenerator({
  name: svcName('timestamp'),
  description:
    'A Unix time in seconds. Both bounds are included. If no whole second is between them, the second in ' +
    `which the earlier bound lies. ${DAY_IS_INSTANT}`,
  params: RANGE,
  mistakes: mistakesInUnits,
  warnings: warnAboutDay,
  output: 'integer',
  examples: [svcExample('timestamp', { start: '2020-01-01', end: '2025-01-01' }), svcExample('timestamp')],
  build(parameters, _, { nowMs }) {
    const [fromMs, toMs] = readRange(parameters, nowMs);
    const to = Math.floor(toMs / 1000);
    const from = Math.min(to, Math.ceil(fromMs / 1000));
    const numbered = consecutive(from, to - from + 1);
    return { ...evenly(from, to, (second) => second), traits: { numbered } };
  },
});

export const timeBetweenType = defineGenerator({
  name: svcName('time_between'),
  description: 'A time of day with seconds. Both bounds are included.',
  params: {
    start: { type: 'string', default: '00:00:00', description: 'The earliest time as HH:MM:SS or HH:MM.' },
    end: {
      type: 'string',
      default: '23:59:59',
      description: 'The latest time. If it is before `start`, the range crosses midnight.',
    },
  },
  output: 'string',
  examples: [
    svcExample('time_between', { start: '09:00', end: '17:30' }),
    svcExample('time_between', { start: '22:00', end: '06:00' }),
    svcExample('time_between'),
  ],
  build(parameters) {
    const from = readClock(parameters, 'start');
    const end = readClock(parameters, 'end');
    const to = end < from ? end + DAY_SECONDS : end;
    return evenly(from, to, (second) => formatTime(second % DAY_SECONDS));
  },
});

/** Draws whole numbers with equal probability, both bounds included, and converts them with `write`. */
function evenly(from: number, to: number, write: (value: number) => unknown): CountedDraw {
  const count = to - from + 1;
  const at = (number: number): unknown => write(from + number);
  return {
    draw: (random) => at(random.below(count)),
    variety: () => evenVariety(count),
    traits: { numbered: { count, at } },
  };
}

/** Returns both bounds in milliseconds, the earlier first. @throws ParameterFault */
export function readRange(parameters: Parameters, nowMs: number): [number, number] {
  const [a, b] = [readInstant(parameters, 'start', nowMs), readInstant(parameters, 'end', nowMs)];
  return a <= b ? [a, b] : [b, a];
}

function readInstant(parameters: Parameters, key: string, nowMs: number): number {
  const ms = resolveInstant(parameters.string(key), nowMs);
  if (ms !== undefined) return ms;
  throw parameters.fault(
    key,
    `must be a date or date-time like ${INSTANT_FORMS}, or relative like now, today, -1year or now+7days ` +
      `with whole months and years, ${INSTANT_VALUES}`,
  );
}

/** Refuses `M` as a unit. A lower-case `m` is a minute. */
export function mistakesInUnits(parameters: Parameters): readonly Problem[] {
  return ['start', 'end']
    .filter((key) => hasAmbiguousUnit(parameters.string(key)))
    .map((key) => ({
      path: parameters.at(key),
      message: 'has the unit "M"; write mo for months or min for minutes',
    }));
}

/** Warns if the later bound is a day, because the rest of that day is not in the range. */
export function warnAboutDay(parameters: Parameters, nowMs: number): readonly Problem[] {
  const [start, end] = [readInstant(parameters, 'start', nowMs), readInstant(parameters, 'end', nowMs)];
  if (start === end) return [];
  const later = start < end ? 'end' : 'start';
  const day = parameters.string(later).trim();
  if (!parameters.has(later) || !DAY.test(day)) return [];
  const message =
    `is the first instant of ${formatDate(Math.max(start, end))}, so the rest of the day is not in the range; ` +
    'add a time, such as T23:59:59.999Z, to include it';
  return [{ path: parameters.at(later), message }];
}

function readClock(parameters: Parameters, key: string): number {
  const match = CLOCK.exec(parameters.string(key));
  const [hour, minute, second] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3] ?? 0)];
  if (hour < 24 && minute < 60 && second < 60) return hour * 3600 + minute * 60 + second;
  throw parameters.fault(key, 'must be a time of day as HH:MM:SS or HH:MM, from 00:00:00 to 23:59:59');
}
