import fc from 'fast-check';

import { readDatabaseName } from './database-name.js';

const read = (text: string) => {
  const database = readDatabaseName(text);
  return 'problem' in database ? 'refused' : [database.kind, database.name];
};

describe('readDatabaseName', () => {
  it('accepts a name of the policy file, with or without agent:', () => {
    expect(read('shop_production')).toEqual(['agent', 'shop_production']);
    expect(read('agent:shop_production')).toEqual(['agent', 'shop_production']);
  });

  it('returns the database name of a URL', () => {
    expect(read('postgresql://user:secret@db.internal:5432/shop')).toEqual(['url', 'shop']);
    expect(read('postgres://db.internal/my%20shop')).toEqual(['url', 'my shop']);
  });

  it.each([
    '',
    '..',
    '../etc/passwd',
    'a/../b',
    'a\0b',
    'a b',
    'x'.repeat(300),
    'agent:',
    'agent:../x',
    'mysql://h/d',
    'postgresql://h/',
    'postgresql://h/a%2Fb',
    'postgresql://h/..%2F..%2Fx',
    'postgresql://h/a%00b',
    'postgresql://h/%',
    `postgresql://h/${'x'.repeat(64)}`,
  ])('refuses the database name %j', (text) => {
    expect(read(text)).toBe('refused');
  });

  it('never returns a URL, and quotes nothing of the text that it refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.boolean(), (text, isUrl) => {
        const given = isUrl ? `postgresql://u:hidden-word@h/${text}` : text;
        const database = readDatabaseName(given);
        const shown = 'problem' in database ? database.problem : database.name;
        expect(shown).not.toContain('hidden-word');
        if (!('problem' in database)) expect(shown).not.toMatch(/[/\p{Cc}]/u);
      }),
    );
  });
});
