import type { CellMask } from './cell-mask.js';
import type { ColumnMask } from './column-mask.js';
import { columnKeyOf } from './masking-keys.js';
import { sampleValues } from './sample-values.js';

const job = { maskingKey: new Uint8Array(32), seed: 1, referenceInstantMs: 0 };

function mask(
  name: string,
  value: ColumnMask['plan']['value'],
  references: readonly string[] = [],
): ColumnMask {
  const rule = { kind: 'template', pattern: name } as const;
  return {
    column: { name, path: name, rule, isText: true, isBlankPadded: false, maxLength: 9 },
    plan: { value },
    key: columnKeyOf(job, { table: 't', name, rule, modelHashes: [] }),
    differs: false,
    inspected: { bindings: [], ownValues: false },
    usesPrivateModel: false,
    references,
  };
}

describe('sampleValues', () => {
  it('produces rows whose columns read each other and are cut to their length', () => {
    const a = mask('a', (_, hi, lo) => `a${hi}-${lo}`);
    const b = mask('b', (_, __, ___, ____, [made]) => `of ${String(made)}`, ['a']);
    const samples = sampleValues([b, a], ['a', 'b'], 20);
    expect([...samples.keys()]).toEqual(['a', 'b']);
    const made = samples.get('a') ?? [];
    expect(new Set(made).size).toBe(20);
    expect(samples.get('b')).toEqual(made.map((text) => `of ${text ?? ''}`.slice(0, 9)));
  });

  it('omits JSON columns and the columns that read them', () => {
    const document = {
      column: { name: 'doc', path: 'doc' },
      leaves: [],
      references: [],
      find: () => undefined,
    };
    const masks: CellMask[] = [
      document,
      mask('b', () => 'x', ['doc']),
      mask('c', () => 'x', ['b']),
      mask('d', () => null),
    ];
    const samples = sampleValues(masks, ['doc', 'b', 'c', 'd'], 2);
    expect([...samples]).toEqual([['d', [null, null]]]);
  });
});
