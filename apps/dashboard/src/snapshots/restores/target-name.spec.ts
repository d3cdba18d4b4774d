import { targetName } from './target-name.js';

describe('targetName', () => {
  it('returns the name of a database that an agent offers', () => {
    expect(targetName('agent:shop-review')).toBe('shop-review');
    expect(targetName(' review ')).toBe('review');
  });

  it('returns the database of a connection URL, and never its password', () => {
    expect(targetName('postgresql://me:secret@db.example.com:5432/my%20shop?sslmode=require')).toBe(
      'my shop',
    );
    expect(targetName('postgres://db/review')).toBe('review');
  });

  it('returns nothing for a text that names no database', () => {
    for (const text of [
      '',
      'agent:',
      'postgresql://db',
      'postgresql://db/',
      'postgresql://db/%',
      'a b',
      'https://x/y',
    ])
      expect(targetName(text)).toBeUndefined();
  });
});
