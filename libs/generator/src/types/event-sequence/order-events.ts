import { didYouMean, LATEST_MS } from '@understudy/expression';
import { ParameterFault } from '../../definition/errors.js';
import { joinPath } from '../../definition/json-value.js';
import type { EventSpec } from './read-events.js';

/** An event of a sequence that was checked whole. */
export interface PlannedEvent {
  readonly name: string;
  /** Its place among the events. */
  readonly index: number;
  /** The place of the one it comes after; undefined for an anchor. */
  readonly predecessor: number | undefined;
  /** 1 when it always happens after its predecessor did. */
  readonly probability: number;
  /** Milliseconds since 1970 for an anchor, otherwise since its predecessor. */
  readonly fromMs: number;
  readonly spanMs: number;
}

export interface EventPlan {
  /** In the order of the definition. */
  readonly events: readonly PlannedEvent[];
  /** Their places, each after its predecessor's. */
  readonly order: readonly number[];
}

/**
 * Finds each event's predecessor.
 * @throws ParameterFault on a name given twice or not at all, without an anchor, on a circle, and where an event could
 *   come after the year 9999
 */
export function orderEvents(specs: readonly EventSpec[], path: string): EventPlan {
  const predecessors = findPredecessors(specs);
  if (predecessors.every((predecessor) => predecessor !== undefined)) {
    throw new ParameterFault(path, 'needs an anchor: an event with base: true, or one without after');
  }
  const planned: PlannedEvent[] = [];
  const latest: number[] = [];
  const order = fromTheAnchors(specs, predecessors);
  for (const index of order) {
    const { name, path: at, probability, fromMs, toMs } = specs[index] as EventSpec;
    const predecessor = predecessors[index];
    latest[index] = (predecessor === undefined ? 0 : (latest[predecessor] ?? 0)) + toMs;
    if (!(latest[index] <= LATEST_MS)) {
      throw new ParameterFault(
        joinPath(at, 'delay'),
        'may end after the year 9999: shorten this delay or one before it, or let the anchor be earlier',
      );
    }
    planned[index] = { name, index, predecessor, probability, fromMs, spanMs: toMs - fromMs };
  }
  return { events: planned, order };
}

function findPredecessors(specs: readonly EventSpec[]): (number | undefined)[] {
  const places = new Map<string, number>();
  specs.forEach(({ name, path }, i) => {
    if (places.has(name)) {
      throw new ParameterFault(joinPath(path, 'name'), 'is the name of another event too');
    }
    places.set(name, i);
  });
  return specs.map(({ after, path }) => {
    if (after === undefined) return undefined;
    const place = places.get(after);
    if (place !== undefined) return place;
    throw new ParameterFault(
      joinPath(path, 'after'),
      `names no event of the sequence${didYouMean(after, places.keys())}`,
    );
  });
}

/** The places of all events, each after its predecessor's. */
function fromTheAnchors(
  specs: readonly EventSpec[],
  predecessors: readonly (number | undefined)[],
): number[] {
  const ordered = new Set<number>();
  for (let start = 0; start < specs.length; start += 1) {
    const chain = new Set<number>();
    for (
      let place: number | undefined = start;
      place !== undefined && !ordered.has(place);
      place = predecessors[place]
    ) {
      if (chain.has(place)) {
        throw new ParameterFault(
          joinPath((specs[place] as EventSpec).path, 'after'),
          `goes in a circle of ${circleLength(place, predecessors)}: the event comes after itself`,
        );
      }
      chain.add(place);
    }
    for (const place of [...chain].reverse()) ordered.add(place);
  }
  return [...ordered];
}

function circleLength(start: number, predecessors: readonly (number | undefined)[]): number {
  let length = 1;
  for (let place = predecessors[start]; place !== undefined && place !== start; place = predecessors[place]) {
    length += 1;
  }
  return length;
}
