import { FlowControl } from './flow-control.js';
import { writeRecords, type Chunk, type RecordsInput } from './write-records.js';

const TASK: RecordsInput = {
  schema: {
    generators: {
      n: { type: 'svc', algorithm: 'sequence' },
      text: { body: 'é'.repeat(1000) },
      upto: { type: 'list', values: [500], where: 'item >= n' },
    },
    output: ['n', 'text', 'upto'],
  },
  seed: 1,
  count: 500,
  nowMs: 0,
  format: 'json',
};

function run(task: Partial<RecordsInput>, onSend: (flow: FlowControl) => void = () => undefined) {
  const flow = new FlowControl();
  flow.allow(1_000_000);
  const chunks: Chunk[] = [];
  let failure: unknown;
  let finished: boolean | undefined;
  try {
    finished = writeRecords({ ...TASK, ...task }, { models: () => undefined }, flow, (chunk) => {
      chunks.push(chunk);
      onSend(flow);
    });
  } catch (error) {
    failure = error;
  }
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
  return { finished, failure, chunks, text };
}

describe('writeRecords', () => {
  it('sends complete records in chunks of at least 128 KiB and shares no memory between chunks', () => {
    const { finished, chunks, text } = run({});
    expect(finished).toBe(true);
    expect((JSON.parse(`[${text}]`) as { n: number }[]).map(({ n }) => n)).toEqual(
      Array.from({ length: 500 }, (_, i) => i + 1),
    );
    expect(chunks.reduce((sum, { records }) => sum + records, 0)).toBe(500);
    for (const { bytes } of chunks.slice(0, -1)) {
      expect(bytes.length).toBeGreaterThanOrEqual(128 * 1024);
      expect(bytes.length).toBeLessThan(128 * 1024 + 4096);
      expect(bytes.buffer.byteLength).toBe(bytes.length);
    }
    expect(chunks.length).toBeGreaterThan(5);
  });

  it('writes the CSV header once', () => {
    const { text } = run({ format: 'csv' });
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('n,text,upto');
    expect(lines).toHaveLength(502);
  });

  it('sends all records before the one that fails', () => {
    const { failure, text } = run({ format: 'ndjson', count: 501 });
    expect(failure).toMatchObject({
      name: 'GenerationError',
      path: expect.stringMatching(/^generators.upto/),
    });
    expect(text.trimEnd().split('\n')).toHaveLength(500);
  });

  it('stops when the flow control is stopped', () => {
    const { finished, chunks } = run({}, (flow) => flow.stop());
    expect([finished, chunks.length]).toEqual([false, 1]);
  });
});
