import { defaultMaskingThreads } from './masking-threads.js';
import { tablesMaskedInThreads } from './rules-in-threads.js';

const chunk = (tableIndex: number, number: number, bytes: number) => ({
  ...{ tableIndex, number, bytes },
  relation: { schema: 'public', table: `t${tableIndex}` },
  relationOid: '1',
  reads: 'table' as const,
  fromPage: undefined,
  toPage: undefined,
});

describe('tables whose rows are masked in threads', () => {
  const chunks = [chunk(0, 0, 60), chunk(0, 1, 60), chunk(1, 0, 90), chunk(2, 0, 200)];
  const settings = { maskingThreads: 1, threadFromBytes: 100 };

  it('have enough left to copy, over all of their chunks', () => {
    expect([...tablesMaskedInThreads(new Set([0, 1]), chunks, settings)]).toEqual([0]);
  });

  it('are none where no thread may be started', () => {
    expect(tablesMaskedInThreads(new Set([0, 1, 2]), chunks, { ...settings, maskingThreads: 0 }).size).toBe(
      0,
    );
    expect(tablesMaskedInThreads(new Set([0, 1, 2]), chunks, {}).size).toBe(0);
  });
});

it('leaves a machine of one core without threads, and a large one with some', () => {
  expect([1, 2, 4, 6, 64].map(defaultMaskingThreads)).toEqual([0, 0, 2, 4, 4]);
});
