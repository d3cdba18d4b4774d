import { formatInstant } from '@understudy/expression';
import type { RandomStream } from '@understudy/random';
import { BUDGETS } from '../../definition/budgets.js';
import { setOwn } from '../../definition/json-value.js';
import type { StreamedDraw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import { mistakesInUnits, warnAboutDay } from '../svc/dates.js';
import { orderEvents, type EventPlan, type PlannedEvent } from './order-events.js';
import { forRanges, readEvents } from './read-events.js';

/**
 * Each event has two streams whose labels contain its name. One decides whether the event happens, the other
 * draws its instant or delay. So adding an event, moving it or making it optional does not change the other
 * events.
 */
export const eventSequenceType = defineGenerator({
  name: '@svc/core:event_sequence',
  description:
    'A sequence of related instants, as an object of date-times in UTC with milliseconds. An ' +
    'event that did not happen is null.',
  params: {
    events: {
      type: 'array',
      required: true,
      description:
        `The events in any order, from 1 to ${BUDGETS.events}: \`{ name, base, range, after, ` +
        `probability, delay }\`. An event without \`after\` is an anchor; \`base: true\` marks it ` +
        `explicitly. Its instant lies in \`range\`, which has the \`{ start, end }\` and the defaults ` +
        `of datetime_between. Any other event happens \`delay\` later than the event named in ` +
        `\`after\`. A \`delay\` is \`{ min, max }\`. Each bound is a number with a unit: s (the ` +
        `default), m, h, d or w. \`min\` defaults to 0 and \`max\` to \`min\`. Without \`delay\`, ` +
        `both events have the same instant. \`probability\` is the chance that an event happens. If ` +
        `it does not happen, the events after it do not happen either.`,
    },
  },
  mistakes: forRanges(mistakesInUnits),
  warnings: forRanges(warnAboutDay),
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
