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

describe('tablesMaskedInThreads', () => {
  const chunks = [chunk(0, 0, 60), chunk(0, 1, 60), chunk(1, 0, 90), chunk(2, 0, 200)];
  const settings = { maskingThreads: 1, threadFromBytes: 100 };

  it('selects tables whose remaining chunks have enough bytes in total', () => {
    expect([...tablesMaskedInThreads(new Set([0, 1]), chunks, settings)]).toEqual([0]);
  });

  it('selects no table if no thread may be started', () => {
    expect(tablesMaskedInThreads(new Set([0, 1, 2]), chunks, { ...settings, maskingThreads: 0 }).size).toBe(
      0,
    );
    expect(tablesMaskedInThreads(new Set([0, 1, 2]), chunks, {}).size).toBe(0);
  });
});

it('starts no masking threads on one or two cores, and at most four on any machine', () => {
  expect([1, 2, 4, 6, 64].map(defaultMaskingThreads)).toEqual([0, 0, 2, 4, 4]);
});
