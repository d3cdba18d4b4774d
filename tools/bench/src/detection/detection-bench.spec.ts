import { benchDetection, describeDetection, detectionJson } from './detection-bench.js';

interface Part {
  readonly columns: number;
  readonly personal: { readonly precision: number; readonly recall: number };
  readonly kinds: Readonly<Record<string, unknown>>;
}

describe('the benchmark of the detection of personal columns', () => {
  const result = benchDetection();

  it('reaches its minimum precision and recall in every part of the columns', () => {
    const parts = JSON.parse(JSON.stringify(detectionJson(result))) as Record<string, Part>;
    expect(Object.keys(parts)).toEqual(['held-out', 'tuning', 'chinook', 'northwind']);
    expect(Object.values(parts).reduce((sum, { columns }) => sum + columns, 0)).toBeGreaterThan(600);
    // Each minimum is a measured value, so a lower value is a regression.
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

  it('prints a table for the terminal', () => {
    const text = describeDetection(result);
    expect(text).toMatch(/^held out: .*\n +kind +precision +recall/);
    expect(text).toMatch(/email +100\.0 % +100\.0 %/);
  });
});
