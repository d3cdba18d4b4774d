import { AnswerStock, type MadeAnswer } from './answer-stock.js';

/** Answers with their own seed as text; keeps what it was asked for. */
function workshop({ ms = 0.1, size = 8, within = Infinity } = {}) {
  const batches: { readonly seeds: readonly number[]; readonly nowMs: number }[] = [];
  let next = 0;
  const stock = new AnswerStock(
    async (seeds, nowMs) => {
      batches.push({ seeds, nowMs });
      const bodies = seeds.slice(0, within).map((seed) => Buffer.from(String(seed).padEnd(size)));
      let end = 0;
      const answers = bodies.map((body) => ({ end: (end += body.length) }));
      return { bytes: Buffer.concat(bodies), answers, ms: ms * bodies.length };
    },
    (count) => Array.from({ length: count }, () => next++),
  );
  return { stock, batches };
}

const textOf = (answer: MadeAnswer) => ('body' in answer ? answer.body.toString().trim() : 'refused');

describe('a stock of answers', () => {
  it('gives each answer once, to as many as ask at the same time', async () => {
    const { stock } = workshop();
    const seeds = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const taken = await Promise.all(Array.from({ length: 37 }, () => stock.take(1)));
      for (const answer of taken) {
        expect(textOf(answer)).toBe(String(answer.seed));
        seeds.add(answer.seed);
      }
    }
    expect(seeds.size).toBe(20 * 37);
  });

  it('has many made at once when many are asked for', async () => {
    const { stock, batches } = workshop({ ms: 0.01 });
    for (let i = 0; i < 1_000; i += 1) await stock.take(1);
    expect(batches.length).toBeLessThan(60);
    expect(Math.max(...batches.map(({ seeds }) => seeds.length))).toBe(256);
  });

  it('throws away what was made for another instant', async () => {
    const { stock, batches } = workshop();
    for (let i = 0; i < 100; i += 1) await stock.take(1);
    const before = batches.length;
    const { seed } = await stock.take(2);
    const later = batches.slice(before).filter(({ nowMs }) => nowMs === 2);
    expect(later.flatMap(({ seeds }) => seeds)).toContain(seed);
  });

  it('serves all when there is time for one answer of a batch alone', async () => {
    const { stock } = workshop({ within: 1 });
    const taken = await Promise.all(Array.from({ length: 50 }, () => stock.take(1)));
    expect(new Set(taken.map(({ seed }) => seed)).size).toBe(50);
  });

  it.each([
    ['take long', { ms: 50 }],
    ['are large', { size: 100_000 }],
  ])('is of no use for answers that %s', async (_, options) => {
    const { stock } = workshop(options);
    expect(stock.isWorthwhile).toBe(true);
    await stock.take(1);
    expect(stock.isWorthwhile).toBe(false);
  });

  it('is of use again when the next answer, made by itself, was a usual one', async () => {
    const { stock } = workshop({ ms: 50 });
    await stock.take(1);
    stock.learn({ bytes: Buffer.from('a'), answers: [{ end: 1 }], ms: 0.1 });
    expect(stock.isWorthwhile).toBe(true);
  });

  it('fails those who wait, and tries again for the next', async () => {
    let fails = true;
    const stock = new AnswerStock(
      async (seeds) => {
        if (fails) throw new Error('no thread');
        return { bytes: Buffer.from('a'), answers: [{ end: 1 }], ms: seeds.length };
      },
      (count) => Array.from({ length: count }, () => 1),
    );
    await expect(stock.take(1)).rejects.toThrow('no thread');
    fails = false;
    expect(textOf(await stock.take(1))).toBe('a');
  });
});
