import { DAY_MS, formatDate, formatInstant, formatTime, resolveInstant } from '@understudy/expression';
import type { Draw } from '../../node.js';
import type { Parameters } from './parameters.js';

const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2}))?$/;

/** A date-time to the millisecond, both bounds included. */
export function compileDatetimeBetween(parameters: Parameters, nowMs: number): Draw {
  const [from, to] = readRange(parameters, nowMs);
  return (random) => formatInstant(from + random.below(to - from + 1));
}

/** A date, the days of both bounds included. */
export function compileDateBetween(parameters: Parameters, nowMs: number): Draw {
  const [from, to] = readRange(parameters, nowMs).map((ms) => Math.floor(ms / DAY_MS)) as [number, number];
  return (random) => formatDate((from + random.below(to - from + 1)) * DAY_MS);
}

/** Unix seconds within the bounds. */
export function compileTimestamp(parameters: Parameters, nowMs: number): Draw {
  const [fromMs, toMs] = readRange(parameters, nowMs);
  const from = Math.ceil(fromMs / 1000);
  // Bounds within one second hold no whole one: the earlier bound's second stands for them.
  const to = Math.max(from, Math.floor(toMs / 1000));
  return (random) => from + random.below(to - from + 1);
}

/** A time of day to the second, both bounds included. */
export function compileTimeBetween(parameters: Parameters): Draw {
  parameters.only('start', 'end');
  const [from, to] = ordered(
    readClock(parameters, 'start', '00:00:00'),
    readClock(parameters, 'end', '23:59:59'),
  );
  return (random) => formatTime(from + random.below(to - from + 1));
}

function readRange(parameters: Parameters, nowMs: number): [number, number] {
  parameters.only('start', 'end');
  return ordered(
    readInstant(parameters, 'start', '1970-01-01', nowMs),
    readInstant(parameters, 'end', '2038-01-01', nowMs),
  );
}

function readInstant(parameters: Parameters, key: string, preset: string, nowMs: number): number {
  const ms = resolveInstant(parameters.string(key, preset), nowMs);
  if (ms !== undefined) return ms;
  throw parameters.fault(
    key,
    'must be an ISO-8601 date or date-time, or relative like now, today, -1year or now+7days',
  );
}

function readClock(parameters: Parameters, key: string, preset: string): number {
  const match = CLOCK.exec(parameters.string(key, preset));
  const [hour, minute, second] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3] ?? 0)];
  if (hour < 24 && minute < 60 && second < 60) return hour * 3600 + minute * 60 + second;
  throw parameters.fault(key, 'must be a time of day as HH:MM:SS or HH:MM');
}

/** Either order of the bounds is taken. */
function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}
