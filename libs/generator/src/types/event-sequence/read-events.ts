import { BUDGETS } from '../../definition/budgets.js';
import { ParameterFault, type Problem } from '../../definition/errors.js';
import { joinPath, describe, isObject, own } from '../../definition/json-value.js';
import { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import { RANGE, readRange } from '../svc/dates.js';

/** An event as the definition describes it, before it is checked against the other events. */
export interface EventSpec {
  readonly name: string;
  readonly path: string;
  /**
   * The name of the event that this event follows. Undefined for an anchor: an event that follows no other.
   */
  readonly after: string | undefined;
  readonly probability: number;
  /**
   * A range in milliseconds, both bounds included. For an anchor, it is the range of the instant since 1970.
   * For any other event, it is the range of the delay after the predecessor.
   */
  readonly fromMs: number;
  readonly toMs: number;
}

const EVENT: ParamsManifest = {
  name: { type: 'string', required: true },
  base: { type: 'boolean', default: false },
  range: { type: 'object' },
  after: { type: 'string' },
  probability: { type: 'number', default: 1, minimum: 0, maximum: 1 },
  delay: { type: 'object' },
};

const DELAY: ParamsManifest = { min: { type: 'any' }, max: { type: 'any' } };

/** @throws ParameterFault */
export function readEvents(parameters: Parameters, nowMs: number): EventSpec[] {
  const path = parameters.at('events');
  const items = parameters.array('events') ?? [];
  if (items.length === 0) throw new ParameterFault(path, 'must contain at least one event');
  if (items.length > BUDGETS.events) {
    throw new ParameterFault(
      path,
      `must contain at most ${BUDGETS.events} events, got ${items.length}`,
      true,
    );
  }
  return items.map((item, i) => readEvent(item, joinPath(path, i), nowMs));
}

type CheckRange = (range: Parameters, nowMs: number) => readonly Problem[];

/** Returns a check of the ranges of all events. Expects events that `readEvents` accepts. */
export function forRanges(check: CheckRange): CheckRange {
  return (parameters, nowMs) =>
    (parameters.array('events') ?? []).flatMap((event, i) => {
      const range = isObject(event) ? own(event, 'range') : undefined;
      const path = joinPath(joinPath(parameters.at('events'), i), 'range');
      return isObject(range) ? check(new Parameters(range, RANGE, path), nowMs) : [];
    });
}

function readEvent(item: unknown, path: string, nowMs: number): EventSpec {
  if (!isObject(item)) throw new ParameterFault(path, `must be an object with a name, got ${describe(item)}`);
  const event = new Parameters(item, EVENT, path);
  const name = event.string('name');
  if (name === '') throw event.fault('name', 'must not be empty');
  const common = { name, path, probability: event.number('probability') };
  if (!event.has('after')) {
    if (event.has('delay')) {
      throw event.fault(
        'delay',
        'needs after, which names the event that the delay starts from; an anchor has a range instead',
      );
    }
    const [fromMs, toMs] = readRange(
      new Parameters(event.object('range') ?? {}, RANGE, event.at('range')),
      nowMs,
    );
    return { ...common, after: undefined, fromMs, toMs };
  }
  if (event.boolean('base')) {
    throw event.fault('after', 'contradicts base: an anchor follows no event; remove one of the two');
  }
  if (event.has('range')) {
    throw event.fault('range', 'is for anchors; an event with after has a delay instead');
  }
  const { fromMs, toMs } = readDelay(new Parameters(event.object('delay') ?? {}, DELAY, event.at('delay')));
  return { ...common, after: event.string('after'), fromMs, toMs };
}

function readDelay(delay: Parameters): { fromMs: number; toMs: number } {
  const fromMs = delay.has('min') ? readDuration(delay, 'min') : 0;
  const toMs = delay.has('max') ? readDuration(delay, 'max') : fromMs;
  if (fromMs > toMs) throw delay.fault('min', 'is longer than max');
  return { fromMs, toMs };
}

function readDuration(delay: Parameters, key: string): number {
  const value = delay.raw(key);
  const ms = parseDuration(value);
  if (ms !== undefined) return ms;
  throw delay.fault(
    key,
    `must be a number from 0 and a unit (s, m, h, d or w; seconds without one), like 90, "1.5h" or "3d", got ${describe(value)}`,
  );
}

const DURATION = /^\s*(\d{1,15}(?:\.\d{1,9})?)\s*([smhdw]?)\s*$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Converts `"90"`, `"1.5h"`, `"3d"` or a number of seconds to whole milliseconds, rounded to the nearest.
 * @returns undefined for anything else, including negative durations: an event cannot be before its
 * predecessor
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? Math.round(value * 1000) : undefined;
  const [, amount, unit = ''] = (typeof value === 'string' && DURATION.exec(value)) || [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNIT_MS[unit] ?? NaN));
}
