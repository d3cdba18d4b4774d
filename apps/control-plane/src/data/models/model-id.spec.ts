import { CUSTOM_NAME, idNameOf } from './model-id.js';

describe('idNameOf', () => {
  it.each([
    ['street-names', 'street-names'],
    ['Names.de-1', 'Names.de-1'],
    ['Street names', 'street-names'],
    ['Straßen & Plätze (DE)', 'strassen-platze-de'],
    ['a/b', 'a-b'],
    ['通り', 'tongri'],
    ['../etc', 'etc'],
    [' -- x', 'x'],
    ['n'.repeat(200), 'n'.repeat(128)],
    [`${'n'.repeat(127)} x`, 'n'.repeat(127)],
  ])('returns a slug of the name %j', (name, expected) => {
    expect(idNameOf(name)).toBe(expected);
    expect(expected).toMatch(CUSTOM_NAME);
  });

  it.each(['..', '...', ' ', '—', '🙂'])(
    'returns undefined for %j, which has no letter that an id can contain',
    (name) => {
      expect(idNameOf(name)).toBeUndefined();
    },
  );
});
