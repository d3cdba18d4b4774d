import { type Draft, fromFragment, MAX_LINK, toFragment } from './draft.js';

const DRAFT: Draft = {
  schema: '{ "generators": { "é": { "body": "日本 & # + / 🙂" } }, "output": ["é"] }',
  seed: '-7',
  count: '25',
  now: '2026-01-01T00:00:00Z',
  format: 'csv',
};
const BASE: Draft = { schema: '{}', seed: '1', count: '10', now: '', format: 'table' };

describe('toFragment', () => {
  it('gives a fragment from which fromFragment reads the same draft', () => {
    const fragment = toFragment(DRAFT) ?? '';
    expect(fragment).toMatch(/^#[\w&=%.-]+$/);
    expect(fromFragment(fragment, BASE)).toEqual(DRAFT);
    const withoutNow = { ...DRAFT, now: '' };
    expect(fromFragment(toFragment(withoutNow) ?? '', { ...BASE, now: DRAFT.now })).toEqual(withoutNow);
  });

  it('gives nothing for a draft that is too large for a link', () => {
    expect(toFragment({ ...DRAFT, schema: 'x'.repeat(MAX_LINK) })).toBeUndefined();
  });
});

describe('fromFragment', () => {
  it.each(['', '#', '#main', '#schema=', '#schema=***', '#schema=_w'])('finds no draft in %j', (fragment) => {
    expect(fromFragment(fragment, BASE)).toBeUndefined();
  });

  it('finds no draft in a fragment that is longer than a link may be', () => {
    expect(fromFragment(`#schema=${'a'.repeat(MAX_LINK)}`, BASE)).toBeUndefined();
  });

  it('replaces missing and malformed parts by those of the base', () => {
    const schema = /schema=([^&]*)/.exec(toFragment(DRAFT) ?? '')?.[1] ?? '';
    expect(fromFragment(`#schema=${schema}&format=xml&seed=${'9'.repeat(100)}`, BASE)).toEqual({
      ...BASE,
      schema: DRAFT.schema,
    });
  });
});
