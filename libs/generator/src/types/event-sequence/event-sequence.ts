import { formatInstant } from '@understudy/expression';
import type { RandomStream } from '@understudy/random';
import { BUDGETS } from '../../definition/budgets.js';
import { setOwn } from '../../definition/json-value.js';
import type { StreamedDraw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import { orderEvents, type EventPlan, type PlannedEvent } from './order-events.js';
import { readEvents } from './read-events.js';

/**
 * Every event has two streams, named for it: one for its gate, one for its instant or delay. So events may be added,
 * moved and made optional without changing what the others draw.
 */
export const eventSequenceType = defineGenerator({
  name: '@svc/core:event_sequence',
  description:
    'Instants that follow each other: an object of date-times in UTC to the millisecond, null for events that did not happen.',
  params: {
    events: {
      type: 'array',
      required: true,
      description: `At least 1, at most ${BUDGETS.events}, in any order: \`{ name, base, range, after, probability, delay }\`. An event without \`after\` (or with \`base: true\`, which says the same) is an anchor and lands in \`range\`, \`{ start, end }\` as of datetime_between, whose defaults it shares. Any other comes \`delay\`, \`{ min, max }\`, after the event that \`after\` names; a delay is a number and a unit (s or none, m, h, d, w); min is 0 when absent, max is min, and without \`delay\` both happen at once. With \`probability\` it may not happen, and then nor do those after it.`,
    },
  },
  output: 'object',
  examples: [
    {
      type: 'event_sequence',
      events: [
        { name: 'ordered', base: true, range: { start: '-1year', end: 'now' } },
        { name: 'shipped', after: 'ordered', delay: { min: '4h', max: '2d' } },
        { name: 'returned', after: 'shipped', probability: 0.1, delay: { min: '1d', max: '2w' } },
      ],
    },
  ],
  build: (parameters, _, { nowMs }) =>
    drawSequence(orderEvents(readEvents(parameters, nowMs), parameters.at('events'))),
});

function drawSequence({ events, order }: EventPlan): StreamedDraw {
  const ordered = order.map((place) => events[place] as PlannedEvent);
  const instants = new Float64Array(events.length);
  return {
    streams: events.flatMap(({ name }) => [`gate ${name}`, `time ${name}`]),
    draw(_, __, stream) {
      for (const event of ordered) instants[event.index] = drawInstant(event, instants, stream);
      const object: Record<string, unknown> = {};
      for (const { name, index } of events) {
        const ms = instants[index] ?? SKIPPED;
        setOwn(object, name, Number.isNaN(ms) ? null : formatInstant(ms));
      }
      return object;
    },
  };
}

const SKIPPED = NaN;

function drawInstant(
  event: PlannedEvent,
  instants: Float64Array,
  stream: (i: number) => RandomStream,
): number {
  const { index, predecessor, probability, fromMs, spanMs } = event;
  const origin = predecessor === undefined ? 0 : (instants[predecessor] ?? SKIPPED);
  if (Number.isNaN(origin)) return SKIPPED;
  if (probability < 1 && stream(2 * index).float53() >= probability) return SKIPPED;
  return origin + fromMs + (spanMs === 0 ? 0 : stream(2 * index + 1).below(spanMs + 1));
}
