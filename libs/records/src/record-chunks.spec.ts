import { recordChunks, type RecordRun, type RecordSource } from './record-chunks.js';

/** Records `{n, text}`, in which `n` counts from 1. Record 400 cannot be generated. */
const SOURCE: RecordSource = {
  output: ['n', 'text'],
  open(seed) {
    const values: unknown[] = [];
    const moveTo = (index: number): void => {
      if (index === 400) throw new Error('no record 400');
      values[0] = seed + index;
      values[1] = 'é'.repeat(1000);
    };
    return { values, moveTo };
  },
};

const RUN: RecordRun = { seed: 1, count: 300, format: 'json' };

function textOf(chunks: readonly { readonly bytes: Uint8Array }[]): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
}

describe('recordChunks', () => {
  it('writes the elements of a JSON array, in chunks of at least 128 KiB except the last one', () => {
    const chunks = [...recordChunks(SOURCE, RUN)];
    const records = JSON.parse(`[${textOf(chunks)}]`) as { n: number }[];
    expect(records.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(chunks.reduce((sum, chunk) => sum + chunk.records, 0)).toBe(300);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { bytes } of chunks.slice(0, -1)) expect(bytes.length).toBeGreaterThanOrEqual(128 * 1024);
  });

  it('starts CSV with the header line', () => {
    const text = textOf([...recordChunks(SOURCE, { ...RUN, count: 1, format: 'csv' })]);
    expect(text).toBe(`n,text\r\n1,${'é'.repeat(1000)}\r\n`);
  });

  it('gives all records before the one that fails, and then its error', () => {
    const chunks: { bytes: Uint8Array; records: number }[] = [];
    expect(() => {
      for (const chunk of recordChunks(SOURCE, { ...RUN, count: 500, format: 'ndjson' })) chunks.push(chunk);
    }).toThrow('no record 400');
    expect(textOf(chunks).trimEnd().split('\n')).toHaveLength(400);
    expect(chunks.reduce((sum, chunk) => sum + chunk.records, 0)).toBe(400);
  });

  it('generates no more records after it is stopped', () => {
    let asked = 0;
    const chunks = [...recordChunks(SOURCE, { ...RUN, isStopped: () => ++asked > 150 })];
    expect(asked).toBe(151);
    expect(chunks).toHaveLength(2);
  });
});
