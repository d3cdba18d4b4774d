import { didYouMean, LATEST_MS } from '@understudy/expression';
import { ParameterFault } from '../../definition/errors.js';
import { joinPath } from '../../definition/json-value.js';
import type { EventSpec } from './read-events.js';

/** A checked event of a sequence. */
export interface PlannedEvent {
  readonly name: string;
  /** The index of the event in the definition. */
  readonly index: number;
  /**
   * The index of the event that this event follows. Undefined for an anchor: an event that follows no other.
   */
  readonly predecessor: number | undefined;
  /** The probability that the event happens if its predecessor has happened. */
  readonly probability: number;
  /**
   * The smallest value: milliseconds since 1970 for an anchor, otherwise the smallest delay in milliseconds.
   */
  readonly fromMs: number;
  readonly spanMs: number;
}

export interface EventPlan {
  /** In the order of the definition. */
  readonly events: readonly PlannedEvent[];
  /** The indexes of the events. The index of an event comes after the index of its predecessor. */
  readonly order: readonly number[];
}

/**
 * Returns the events with their predecessors, and an order in which each event follows its predecessor.
 * @throws ParameterFault if a name occurs twice or is unknown, if there is no anchor, if events form a cycle,
 * or if an event could be after the year 9999
 */
export function orderEvents(specs: readonly EventSpec[], path: string): EventPlan {
  const predecessors = findPredecessors(specs);
  if (predecessors.every((predecessor) => predecessor !== undefined)) {
    throw new ParameterFault(path, 'needs an anchor: an event with base: true, or one without after');
  }
  const planned: PlannedEvent[] = [];
  const latest: number[] = [];
  const order = orderFromAnchors(specs, predecessors);
  for (const index of order) {
    const { name, path: at, probability, fromMs, toMs } = specs[index] as EventSpec;
    const predecessor = predecessors[index];
    latest[index] = (predecessor === undefined ? 0 : (latest[predecessor] ?? 0)) + toMs;
    if (!(latest[index] <= LATEST_MS)) {
      throw new ParameterFault(
        joinPath(at, 'delay'),
        'may end after the year 9999; shorten this delay or one before it, or choose an earlier anchor',
      );
    }
    planned[index] = { name, index, predecessor, probability, fromMs, spanMs: toMs - fromMs };
  }
  return { events: planned, order };
}

function findPredecessors(specs: readonly EventSpec[]): (number | undefined)[] {
  const indexes = new Map<string, number>();
  specs.forEach(({ name, path }, i) => {
    if (indexes.has(name)) {
      throw new ParameterFault(joinPath(path, 'name'), 'is also the name of another event');
    }
    indexes.set(name, i);
  });
  return specs.map(({ after, path }) => {
    if (after === undefined) return undefined;
    const index = indexes.get(after);
    if (index !== undefined) return index;
    throw new ParameterFault(
      joinPath(path, 'after'),
      `is not the name of an event in the sequence${didYouMean(after, indexes.keys())}`,
    );
  });
}

/** Returns the indexes of all events. The index of an event comes after the index of its predecessor. */
function orderFromAnchors(
  specs: readonly EventSpec[],
  predecessors: readonly (number | undefined)[],
): number[] {
  const ordered = new Set<number>();
  for (let start = 0; start < specs.length; start += 1) {
    const chain = new Set<number>();
    for (
      let index: number | undefined = start;
      index !== undefined && !ordered.has(index);
      index = predecessors[index]
    ) {
      if (chain.has(index)) {
        throw new ParameterFault(
          joinPath((specs[index] as EventSpec).path, 'after'),
          `is part of a cycle of ${countedEvents(cycleLength(index, predecessors))}: the event comes after itself`,
        );
      }
      chain.add(index);
    }
    for (const index of [...chain].reverse()) ordered.add(index);
  }
  return [...ordered];
}

function countedEvents(count: number): string {
  return count === 1 ? '1 event' : `${count} events`;
}

function cycleLength(start: number, predecessors: readonly (number | undefined)[]): number {
  let length = 1;
  for (let index = predecessors[start]; index !== undefined && index !== start; index = predecessors[index]) {
    length += 1;
  }
  return length;
}
