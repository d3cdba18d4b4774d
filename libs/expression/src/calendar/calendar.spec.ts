import fc from 'fast-check';
import { EARLIEST_MS, formatInstant, LATEST_MS, parseInstant, resolveInstant } from '../index.js';

const NOW = Date.UTC(2024, 4, 15, 10, 30);
const anyInstant = fc.integer({ min: EARLIEST_MS, max: LATEST_MS });

describe('instants', () => {
  it("are formatted like the engine's Date, and parse to the same instant", () => {
    fc.assert(
      fc.property(anyInstant, (ms) => {
        expect(formatInstant(ms)).toBe(new Date(ms).toISOString());
        expect(parseInstant(formatInstant(ms))).toBe(ms);
      }),
    );
  });

  it.each<[string, string | undefined]>([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2023-02-29', undefined],
    ['2024-04-31', undefined],
    ['2024-01-01T10:00+02:00', '2024-01-01T08:00:00.000Z'],
    ['2024-01-01 10:00:30.5Z', '2024-01-01T10:00:30.500Z'],
    ['2024-01-01T24:00', undefined],
    ['2024-01-01t10:00:00z', '2024-01-01T10:00:00.000Z'],
    ['2024-01-01T10:00:00-08:30', '2024-01-01T18:30:00.000Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z'],
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-13', undefined],
    ['2024-00', undefined],
    ['0000', undefined],
    ['20240101', undefined],
    ['202401', undefined],
    ['2024-W01-1', undefined],
    ['2024-060', undefined],
    ['+002024-01-01', undefined],
    ['2024-01-01T10', undefined],
    ['2024-01-01T10:00:00,5Z', undefined],
    ['2024-01-01T10:00:00+02', undefined],
    ['2024-01-01T10:00:00+0200', undefined],
    ['2024-01-01T10:00:00-24:00', undefined],
    ['0000-01-01', undefined],
    ['24-01-01', undefined],
    ['now', '2024-05-15T10:30:00.000Z'],
    ['today', '2024-05-15T00:00:00.000Z'],
    ['-1year', '2023-05-15T10:30:00.000Z'],
    ['now+7days', '2024-05-22T10:30:00.000Z'],
    ['today - 3 months + 1d', '2024-02-16T00:00:00.000Z'],
    ['+90min', '2024-05-15T12:00:00.000Z'],
    ['-1.5month', undefined],
    ['+1.5 years', undefined],
    ['+0.5y', undefined],
    ['+1.0month', '2024-06-15T10:30:00.000Z'],
    ['+1.5d', '2024-05-16T22:30:00.000Z'],
    ['now+1parsec', undefined],
    ['now+99999years', undefined],
    ['tomorrow', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    const ms = resolveInstant(text, NOW);
    expect(ms === undefined ? undefined : formatInstant(ms)).toBe(expected);
  });
});
