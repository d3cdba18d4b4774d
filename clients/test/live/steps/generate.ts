import type { Step } from '../step.js';

export const NUMBERS = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ n: index + 1 }));

const LIKE_ERRORS = {
  generators: { error: { output: { code: 'E1', message: 'no money' } } },
  output: ['error'],
};

const NOW = '2026-01-01T00:00:00.000Z';
const MANY = 5_000;
const REFUSED = 'schema.generators.n.type';

/** Records as JSON, as a stream and as CSV. */
export const GENERATE: readonly Step[] = [
  {
    call: 'generate',
    title: '[4.8/2] returns all records',
    request: () => ({ schema: NUMBERS, count: 3, generate: { seed: 7, now: NOW } }),
    response: { result: numbers(3) },
  },
  {
    call: 'generate',
    title: 'names the invalid field of a schema',
    request: () => ({ schema: { generators: { n: { type: 'nothing' } }, output: ['n'] }, count: 3 }),
    response: {
      error: {
        ...{ class: 'ValidationError', status: 422, message: expect.stringContaining(REFUSED) },
        details: [{ field: REFUSED, message: expect.any(String) }],
      },
    },
  },
  {
    call: 'generate',
    title: 'returns records that have the form of an error',
    request: () => ({ schema: LIKE_ERRORS, count: 3 }),
    response: { result: Array.from({ length: 3 }, () => ({ error: { code: 'E1', message: 'no money' } })) },
  },
  {
    call: 'generateStream',
    title: 'yields all records, and has the metadata',
    request: () => ({ schema: NUMBERS, count: MANY, generate: { seed: 7, now: NOW } }),
    response: { result: numbers(MANY), stream: expect.objectContaining({ seed: 7, count: MANY }) },
  },
  {
    call: 'generateStream',
    title: 'can be closed early',
    request: () => ({ schema: NUMBERS, count: MANY, generate: { seed: 7, now: NOW }, take: 3 }),
    response: { result: numbers(3) },
  },
  {
    call: 'generateCsv',
    title: 'returns the bytes of the CSV file',
    request: () => ({ schema: NUMBERS, count: 3, generate: { seed: 7, now: NOW } }),
    response: { result: { base64: Buffer.from('n\r\n1\r\n2\r\n3\r\n').toString('base64') } },
  },
];
