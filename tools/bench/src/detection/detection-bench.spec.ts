import { benchDetection, describeDetection, detectionJson } from './detection-bench.js';

interface Part {
  readonly columns: number;
  readonly personal: { readonly precision: number; readonly recall: number };
  readonly kinds: Readonly<Record<string, unknown>>;
}

describe('the bench of the detection of personal columns', () => {
  const result = benchDetection();

  it('reports how much of what is personal is found, on held-out columns too', () => {
    const parts = JSON.parse(JSON.stringify(detectionJson(result))) as Record<string, Part>;
    expect(Object.keys(parts)).toEqual(['held-out', 'tuning', 'chinook', 'northwind']);
    expect(Object.values(parts).reduce((sum, { columns }) => sum + columns, 0)).toBeGreaterThan(600);
    // Each floor is what was measured: less is a step back.
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

  it('prints a table for people', () => {
    const text = describeDetection(result);
    expect(text).toMatch(/^held out: .*\n +kind +precision +recall/);
    expect(text).toMatch(/email +100\.0 % +100\.0 %/);
  });
});
