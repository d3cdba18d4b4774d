import { Workbench } from '../run-cli.js';

interface Part {
  readonly columns: number;
  readonly personal: { readonly precision: number; readonly recall: number };
  readonly kinds: Readonly<Record<string, unknown>>;
}

describe('understudy init --report', () => {
  const bench = new Workbench();
  afterAll(() => {
    bench.remove();
  });

  it('says how much of what is personal is found, on columns that were held out too', async () => {
    const { code, out, err } = await bench.run(['init', '--report', '--json']);
    expect([code, err]).toEqual([0, '']);
    const parts = JSON.parse(out) as Record<string, Part>;
    expect(Object.keys(parts)).toEqual(['held-out', 'tuning', 'chinook', 'northwind']);
    expect(Object.values(parts).reduce((sum, { columns }) => sum + columns, 0)).toBeGreaterThan(600);
    // Floors: what is less than was seen is a step back.
    for (const [part, precision, recall] of [
      ['held-out', 0.98, 0.87],
      ['tuning', 0.99, 0.99],
      ['chinook', 1, 1],
      ['northwind', 1, 1],
    ] as const) {
      expect(parts[part]?.personal.precision).toBeGreaterThanOrEqual(precision);
      expect(parts[part]?.personal.recall).toBeGreaterThanOrEqual(recall);
    }
    expect(Object.keys(parts['tuning']?.kinds ?? {})).toHaveLength(27);
  });

  it('is a table for people', async () => {
    const { code, out } = await bench.run(['init', '--report']);
    expect(code).toBe(0);
    expect(out).toMatch(/^held out: .*\n +kind +precision +recall/);
    expect(out).toMatch(/email +100\.0 % +100\.0 %/);
  });
});
