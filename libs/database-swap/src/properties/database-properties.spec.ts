import { settingValue } from './database-properties.js';

describe('settingValue', () => {
  it.each([
    ['work_mem', '7MB', "'7MB'"],
    ['my.own', "a=b, it's \\ odd", " E'a=b, it''s \\\\ odd'"],
    ['search_path', '"$user", public', "'$user', 'public'"],
    ['search_path', '"Odd, ""Schema"""', '\'Odd, "Schema"\''],
    ['search_path', '""', "''"],
    ['search_path', '', "''"],
  ])('quotes %s = %s for SET', (name, text, expected) => {
    expect(settingValue(name, text)).toBe(expected);
  });
});
