import fc from 'fast-check';

import { type RowTask } from './generation-task.js';
import { makeChunks } from './make-chunks.js';
import type { Chunk } from './row-maker.js';
import { FORMATS, ROWS_PER_INSERT, type RowLayout } from './row-layout.js';

const COUNT = 2 * ROWS_PER_INSERT + 7;
const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence' },
    text: {
      type: 'list',
      values: ['a "b", c', "it's\\", 'é\n', '', { k: ['\\'] }, 1.5, false],
      nullable: 0.2,
    },
  },
  output: ['id', 'text'],
};

function taskOf(layout: Partial<RowLayout>, schema: unknown = SCHEMA): RowTask {
  const whole = {
    format: 'json',
    columns: ['id', 'text'],
    table: ['t'],
    count: COUNT,
    rowsOnly: false,
  } as const;
  return { schema, models: new Map(), nowMs: 0, seed: 7, layout: { ...whole, ...layout } };
}

async function chunksOf(task: RowTask, from: number, to: number): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of makeChunks(task, { from, to }, 0)) chunks.push(chunk);
  return chunks;
}

async function bytesOf(task: RowTask, from: number, to: number): Promise<Buffer> {
  return Buffer.concat((await chunksOf(task, from, to)).map(({ bytes }) => bytes));
}

describe.each([
  ...FORMATS.map((format) => [format, false] as const),
  ['csv', true] as const,
  ['copy', true] as const,
])('makeChunks with format %s and rowsOnly=%p', (format, rowsOnly) => {
  const task = taskOf({ format, rowsOnly });

  it('produces parts that concatenate to the bytes of the whole, for any cuts', async () => {
    const whole = await bytesOf(task, 0, COUNT);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: COUNT - 1 }), { maxLength: 5 }),
        async (cuts) => {
          const bounds = [0, ...cuts.sort((a, b) => a - b), COUNT];
          const parts = await Promise.all(bounds.slice(1).map((to, i) => bytesOf(task, bounds[i] ?? 0, to)));
          expect(Buffer.concat(parts).equals(whole)).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  });
});

it('writes the COPY lines only in the first and last part, and in no part with rowsOnly', async () => {
  const text = async (layout: Partial<RowLayout>, from: number, to: number) =>
    (await bytesOf(taskOf({ format: 'copy', count: 4, ...layout }), from, to)).toString();
  expect(await text({}, 0, 1)).toMatch(/^COPY "t" \("id", "text"\) FROM stdin;\n1\t[^\n]*\n$/);
  expect(await text({}, 1, 3)).toMatch(/^2\t[^\n]*\n3\t[^\n]*\n$/);
  expect(await text({}, 3, 4)).toMatch(/^4\t[^\n]*\n\\\.\n$/);
  expect(await text({ rowsOnly: true }, 0, 4)).toMatch(/^1\t.*\n2\t.*\n3\t.*\n4\t.*\n$/);
  expect(await text({ format: 'csv', rowsOnly: true }, 0, 1)).toMatch(/^1,/);
});

it('returns the rows before one that cannot be generated, and the reason', async () => {
  const id = { type: 'svc', algorithm: 'sequence' };
  const nul = { generators: { id, text: { type: 'list', values: ['\0'] } }, output: ['id', 'text'] };
  const [chunk] = await chunksOf(taskOf({ format: 'copy' }, nul), 5, 9);
  expect(chunk).toMatchObject({
    from: 5,
    next: 5,
    failure: 'generators.text: row 5 contains U+0000, which PostgreSQL cannot store',
  });
  expect(chunk?.bytes).toHaveLength(0);
  const dry = { generators: { id: { body: "{{pick('x', 'y')}}", unique: true } }, output: ['id'] };
  const [last] = (await chunksOf(taskOf({ columns: ['id'], format: 'ndjson' }, dry), 0, 3)).slice(-1);
  expect([
    last?.next,
    Buffer.from(last?.bytes ?? [])
      .toString()
      .split('\n').length,
  ]).toEqual([2, 3]);
  expect(last?.failure).toMatch(/^generators\.id: unique found no new value/);
});
