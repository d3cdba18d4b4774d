import { mergeValues } from '../../src/kubernetes/chart.js';

describe('merging values', () => {
  const defaults = { image: { tag: '1', pull: 'Always' }, list: [1, 2], off: false };

  it('merges maps at all levels, and replaces lists and other values', () => {
    expect(mergeValues(defaults, { image: { tag: '2' }, list: [3], off: true, more: {} })).toEqual({
      image: { tag: '2', pull: 'Always' },
      list: [3],
      off: true,
      more: {},
    });
  });

  it('removes a key whose value is null', () => {
    expect(mergeValues(defaults, { image: { pull: null }, list: null })).toEqual({
      image: { tag: '1' },
      off: false,
    });
  });

  it('changes neither argument', () => {
    const before = structuredClone(defaults);
    mergeValues(defaults, { image: { tag: '2' } });
    expect(defaults).toEqual(before);
  });
});
