import {
  DAY_MS,
  formatDate,
  formatInstant,
  formatTime,
  INSTANT_FORMS,
  resolveInstant,
} from '@understudy/expression';
import type { CountedDraw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import { evenVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2}))?$/;

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
  description: 'A date-time in UTC with milliseconds. Both bounds are included.',
  params: RANGE,
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
  description: 'A Unix time in seconds within the bounds.',
  params: RANGE,
  output: 'integer',
  examples: [svcExample('timestamp', { start: '2020-01-01', end: '2025-01-01' }), svcExample('timestamp')],
  build(parameters, _, { nowMs }) {
    const [fromMs, toMs] = readRange(parameters, nowMs);
    const from = Math.ceil(fromMs / 1000);
    // If no whole second lies within the bounds, the result is the second of the earlier bound.
    const to = Math.max(from, Math.floor(toMs / 1000));
    return evenly(from, to, (second) => second);
  },
});

export const timeBetweenType = defineGenerator({
  name: svcName('time_between'),
  description: 'A time of day with seconds. Both bounds are included.',
  params: {
    start: { type: 'string', default: '00:00:00', description: 'One bound as HH:MM:SS or HH:MM.' },
    end: {
      type: 'string',
      default: '23:59:59',
      description: 'The other bound. The bounds may be in either order.',
    },
  },
  output: 'string',
  examples: [svcExample('time_between', { start: '09:00', end: '17:30' }), svcExample('time_between')],
  build(parameters) {
    const [from, to] = ordered(readClock(parameters, 'start'), readClock(parameters, 'end'));
    return evenly(from, to, formatTime);
  },
});

/** Draws whole numbers with equal probability, both bounds included, and converts them with `write`. */
function evenly(from: number, to: number, write: (value: number) => unknown): CountedDraw {
  const span = to - from + 1;
  return { draw: (random) => write(from + random.below(span)), variety: () => evenVariety(span) };
}

/** Returns both bounds in milliseconds, the earlier first. @throws ParameterFault */
export function readRange(parameters: Parameters, nowMs: number): [number, number] {
  return ordered(readInstant(parameters, 'start', nowMs), readInstant(parameters, 'end', nowMs));
}

function readInstant(parameters: Parameters, key: string, nowMs: number): number {
  const ms = resolveInstant(parameters.string(key), nowMs);
  if (ms !== undefined) return ms;
  throw parameters.fault(
    key,
    `must be a date or date-time like ${INSTANT_FORMS}, or relative like now, today, -1year or now+7days`,
  );
}

function readClock(parameters: Parameters, key: string): number {
  const match = CLOCK.exec(parameters.string(key));
  const [hour, minute, second] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3] ?? 0)];
  if (hour < 24 && minute < 60 && second < 60) return hour * 3600 + minute * 60 + second;
  throw parameters.fault(key, 'must be a time of day as HH:MM:SS or HH:MM');
}

/** Sorts two bounds. */
function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}
