import { svcName } from '../../src/definition/authored-types.js';
import type { Json } from '../schema-harness.js';

/** The edges of what a generator accepts. */
export interface DeclaredEdges {
  /** Params at the edges, whose values must be in the declared range. */
  readonly accepted: readonly Json[];
  /** Params beyond the edges, each with the param that the error names. */
  readonly refused: readonly (readonly [param: string, params: Json])[];
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const LARGEST_INTEGERS = [2 ** 31 - 1, 2 ** 31, 2 ** 32, MAX_SAFE];
const TOO_LARGE = [2 ** 53, -(2 ** 53), 2 ** 63, 0.5, NaN, Infinity];

const FIRST_INSTANT = '0001-01-01T00:00:00.000Z';
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/** Returns edges of a generator whose values are between two instants. */
const instants: DeclaredEdges = {
  accepted: [
    { start: FIRST_INSTANT, end: FIRST_INSTANT },
    { start: LAST_INSTANT, end: LAST_INSTANT },
    { start: FIRST_INSTANT, end: LAST_INSTANT },
    { start: LAST_INSTANT, end: FIRST_INSTANT },
    { start: '1969-12-31T23:59:59.999Z', end: '1970-01-01T00:00:00.001Z' },
    { start: '2038-01-19T03:14:07Z', end: '2038-01-19T03:14:09Z' },
    { start: '2024-02-29', end: '2024-02-29' },
    { start: '2016-12-31T23:59:59.999Z', end: '2017-01-01T00:00:00Z' },
  ],
  refused: [
    ...['0000-12-31', '10000-01-01', '-0001-01-01', '0001-01-01T00:00:00+00:01'],
    ...['9999-12-31T23:59:59-00:01', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00Z', '2023-02-29'],
    ...['', 'now+99999years', '-99999years', '1e3', '2024-1-1'],
  ].flatMap((text) => [['start', { start: text }] as const, ['end', { end: text }] as const]),
};

export const DECLARED_EDGES: ReadonlyMap<string, DeclaredEdges> = new Map<string, DeclaredEdges>([
  [svcName('uuid_v4'), { accepted: [{}], refused: [] }],
  [svcName('uuid_v7'), { accepted: [{}], refused: [] }],
  [svcName('ulid'), { accepted: [{}], refused: [] }],
  [
    svcName('nanoid'),
    {
      accepted: [1, 2, 5, 6, 14, 15, 1023, 1024].map((length) => ({ length })),
      refused: [0, -1, 1025, 2 ** 31, '21', ...TOO_LARGE].map((length) => ['length', { length }] as const),
    },
  ],
  [
    svcName('int_between'),
    {
      accepted: [
        ...[0, -1, ...LARGEST_INTEGERS].map((value) => ({ min: value, max: value })),
        ...LARGEST_INTEGERS.map((value) => ({ min: -value, max: -value + 1 })),
        { min: 0, max: MAX_SAFE },
        { min: -MAX_SAFE, max: 0 },
        { min: -1, max: MAX_SAFE - 1 },
        { min: MAX_SAFE - 1, max: MAX_SAFE, except: [MAX_SAFE] },
        { min: 5, max: 5, except: [] },
      ],
      refused: [
        ['min', { min: 1, max: 0 }],
        ['min', { min: -1, max: MAX_SAFE }],
        ['min', { min: -MAX_SAFE, max: MAX_SAFE }],
        ['except', { min: 5, max: 5, except: [5] }],
        ['except', { min: 5, max: 6, except: [5, 6, 7] }],
        ...TOO_LARGE.flatMap((value) => [
          ['min', { min: value, max: value }] as const,
          ['max', { max: value }] as const,
        ]),
      ],
    },
  ],
  [
    svcName('float_between'),
    {
      accepted: [
        ...[0, -1, 0.5, ...LARGEST_INTEGERS, 2 ** 53, 2 ** 63].map((value) => ({ min: value, max: value })),
        { min: 0.1, max: 0.3, precision: 1 },
        { min: 0, max: 1, precision: 15 },
        { min: -1e15, max: 1e15, precision: 0 },
        { min: 1, max: 1, precision: 0 },
      ],
      refused: [
        ['min', { min: 1, max: 0 }],
        ['precision', { min: 0.15, max: 0.16, precision: 1 }],
        ['precision', { precision: 16 }],
        ['precision', { precision: -1 }],
        ['precision', { precision: 0.5 }],
        ...[NaN, Infinity].map((min) => ['min', { min }] as const),
      ],
    },
  ],
  [
    svcName('boolean'),
    {
      accepted: [0, 1, 5e-324, -1, 2].map((probability) => ({ probability })),
      refused: [NaN, '1'].map((probability) => ['probability', { probability }] as const),
    },
  ],
  [svcName('datetime_between'), instants],
  [svcName('date_between'), instants],
  [svcName('timestamp'), instants],
  [
    svcName('time_between'),
    {
      accepted: [
        { start: '00:00', end: '00:00:00' },
        { start: '23:59:59', end: '23:59:59' },
        { start: '23:59:59', end: '00:00' },
        { start: '00:00:01', end: '00:00:00' },
      ],
      refused: ['24:00', '23:59:60', '12:60', '9:00', '', '12', '12:00:00.5', '-1:00'].flatMap((text) => [
        ['start', { start: text }] as const,
        ['end', { end: text }] as const,
      ]),
    },
  ],
  [
    svcName('sequence'),
    {
      accepted: [
        ...[0, ...LARGEST_INTEGERS].flatMap((start) => [{ start }, { start: -start, step: -1 }]),
        { start: MAX_SAFE, step: MAX_SAFE },
        { start: 7, step: 0 },
      ],
      refused: TOO_LARGE.flatMap((value) => [
        ['start', { start: value }] as const,
        ['step', { step: value }] as const,
      ]),
    },
  ],
  [
    svcName('gaussian'),
    {
      accepted: [
        { mean: 5, stddev: 0 },
        { mean: -1e9, stddev: 1e-9 },
      ],
      refused: [
        ['stddev', { stddev: -1 }],
        ['mean', { mean: NaN }],
      ],
    },
  ],
  [
    svcName('exponential'),
    {
      accepted: [1e-6, 1e9].map((lambda) => ({ lambda })),
      refused: [0, -1, NaN, Infinity].map((lambda) => ['lambda', { lambda }] as const),
    },
  ],
  [
    svcName('digits'),
    {
      accepted: [-1, 0, 1, 9, 10, 15, 16, 17, 18, 19, MAX_SAFE].flatMap((digits) =>
        [true, false].flatMap((strict) => [
          { digits, strict },
          { digits, strict, leading_zero: true },
        ]),
      ),
      refused: TOO_LARGE.map((digits) => ['digits', { digits }] as const),
    },
  ],
  [
    '@svc/core:list',
    {
      accepted: [
        { values: ['only'] },
        { values: [null] },
        { values: [{ value: 'a', weight: 0 }, 'b'] },
        { values: [{ value: 'a', weight: 5e-324 }] },
        { values: [2 ** 31, 2 ** 53, ''] },
      ],
      refused: [
        ['values', { values: [] }],
        ['values', {}],
        ['values', { values: [{ value: 'a', weight: 0 }] }],
        ['weight', { values: [{ value: 'a', weight: -1 }] }],
        ['weight', { values: [{ value: 'a', weight: NaN }] }],
      ],
    },
  ],
  [
    '@svc/core:model',
    {
      accepted: [{ source: 'en_US/first_names' }],
      refused: [
        ['source', {}],
        ['source', { source: '' }],
        ['source', { source: 'en_US/no_such_model' }],
      ],
    },
  ],
  [
    '@svc/core:statistical',
    {
      accepted: [{ distribution: 'uniform', params: { min: 3, max: 3 } }],
      refused: [
        ['values', { mode: 'categorical', values: [] }],
        ['values', { mode: 'categorical', values: [{ value: 1, weight: 0 }] }],
        ['variables', { mode: 'multivariate', variables: [] }],
        ['params.stddev', { params: { stddev: -1 } }],
        ['params.min', { distribution: 'uniform', params: { min: 1, max: 0 } }],
      ],
    },
  ],
  [
    '@svc/core:event_sequence',
    {
      accepted: [
        { events: [{ name: 'a', range: { start: LAST_INSTANT, end: LAST_INSTANT } }] },
        {
          events: [
            { name: 'a', range: { start: FIRST_INSTANT, end: FIRST_INSTANT } },
            { name: 'b', after: 'a', delay: { min: 0, max: 0 } },
            { name: 'c', after: 'b', probability: 0 },
          ],
        },
      ],
      refused: [
        ['events', { events: [] }],
        ['events[0].probability', { events: [{ name: 'a', probability: 1.1 }] }],
        ['events[0].range.start', { events: [{ name: 'a', range: { start: '2016-12-31T23:59:60Z' } }] }],
        [
          'events[1].delay',
          {
            events: [
              { name: 'a', range: { start: LAST_INSTANT, end: LAST_INSTANT } },
              { name: 'b', after: 'a', delay: { max: '1s' } },
            ],
          },
        ],
      ],
    },
  ],
]);
