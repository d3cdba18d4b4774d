import { NOW_MS } from '../test-model.js';

/** Expects a value between two bounds in either order, both included. */
export function expectBetween(value: number, bounds: readonly number[]): void {
  expect(value).toBeGreaterThanOrEqual(Math.min(...bounds));
  expect(value).toBeLessThanOrEqual(Math.max(...bounds));
}

export function decimals(value: unknown): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}

/** Returns the instant of a date, without using the engine's own parser. */
export function instantOf(spec: unknown): number {
  const relative = new Map([
    ['now', NOW_MS],
    ['today', NOW_MS],
    ['-1year', Date.UTC(2025, 0, 15)],
    ['-18years', Date.UTC(2008, 0, 15)],
    ['now+7days', Date.UTC(2026, 0, 22)],
  ]);
  const ms = relative.get(String(spec)) ?? Date.parse(String(spec));
  if (Number.isNaN(ms)) throw new Error(`add ${String(spec)} to the relative dates here`);
  return ms;
}
