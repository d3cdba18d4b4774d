import { ResponseBuffer, type GeneratedResponse } from './response-buffer.js';

/**
 * Creates a buffer whose responses contain their own seed as text. `batches` records the requests for
 * batches.
 */
function createBuffer({ ms = 0.1, size = 8, within = Infinity } = {}) {
  const batches: { readonly seeds: readonly number[]; readonly nowMs: number }[] = [];
  let next = 0;
  const buffer = new ResponseBuffer(
    async (seeds, nowMs) => {
      batches.push({ seeds, nowMs });
      const bodies = seeds.slice(0, within).map((seed) => Buffer.from(String(seed).padEnd(size)));
      let end = 0;
      const responses = bodies.map((body) => ({ end: (end += body.length) }));
      return { bytes: Buffer.concat(bodies), responses, ms: ms * bodies.length };
    },
    (count) => Array.from({ length: count }, () => next++),
  );
  return { buffer, batches };
}

const textOf = (response: GeneratedResponse) =>
  'body' in response ? response.body.toString().trim() : 'refused';

describe('ResponseBuffer', () => {
  it('returns each response once, also to concurrent calls', async () => {
    const { buffer } = createBuffer();
    const seeds = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const taken = await Promise.all(Array.from({ length: 37 }, () => buffer.take(1)));
      for (const response of taken) {
        expect(textOf(response)).toBe(String(response.seed));
        seeds.add(response.seed);
      }
    }
    expect(seeds.size).toBe(20 * 37);
  });

  it('requests larger batches for many calls', async () => {
    const { buffer, batches } = createBuffer({ ms: 0.01 });
    for (let i = 0; i < 1_000; i += 1) await buffer.take(1);
    expect(batches.length).toBeLessThan(60);
    expect(Math.max(...batches.map(({ seeds }) => seeds.length))).toBe(256);
  });

  it('discards the responses that were generated for another instant', async () => {
    const { buffer, batches } = createBuffer();
    for (let i = 0; i < 100; i += 1) await buffer.take(1);
    const before = batches.length;
    const { seed } = await buffer.take(2);
    const later = batches.slice(before).filter(({ nowMs }) => nowMs === 2);
    expect(later.flatMap(({ seeds }) => seeds)).toContain(seed);
  });

  it('serves all calls if there is time for only one response per batch', async () => {
    const { buffer } = createBuffer({ within: 1 });
    const taken = await Promise.all(Array.from({ length: 50 }, () => buffer.take(1)));
    expect(new Set(taken.map(({ seed }) => seed)).size).toBe(50);
  });

  it.each([
    ['take long', { ms: 50 }],
    ['are large', { size: 100_000 }],
  ])('reports that prefetching is not worthwhile for responses that %s', async (_, options) => {
    const { buffer } = createBuffer(options);
    expect(buffer.isWorthwhile).toBe(true);
    await buffer.take(1);
    expect(buffer.isWorthwhile).toBe(false);
  });

  it('reports that prefetching is worthwhile again after a cheap response', async () => {
    const { buffer } = createBuffer({ ms: 50 });
    await buffer.take(1);
    buffer.adapt({ bytes: Buffer.from('a'), responses: [{ end: 1 }], ms: 0.1 });
    expect(buffer.isWorthwhile).toBe(true);
  });

  it('fails the calls that wait, and tries again for the next call', async () => {
    let fails = true;
    const buffer = new ResponseBuffer(
      async (seeds) => {
        if (fails) throw new Error('no thread');
        return { bytes: Buffer.from('a'), responses: [{ end: 1 }], ms: seeds.length };
      },
      (count) => Array.from({ length: count }, () => 1),
    );
    await expect(buffer.take(1)).rejects.toThrow('no thread');
    fails = false;
    expect(textOf(await buffer.take(1))).toBe('a');
  });
});
