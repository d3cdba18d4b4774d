import { givenUrl } from './source-url.js';

const HOST = 'localhost:5433/shop';

describe('givenUrl', () => {
  it.each([
    [
      'contains its password',
      `postgresql://me:can%2Fary@${HOST}`,
      {},
      'can/ary',
      `postgresql://me:\${SOURCE_PASSWORD}@${HOST}`,
      'SOURCE_PASSWORD',
    ],
    [
      'takes its password from PGPASSWORD',
      `postgresql://me@${HOST}?sslmode=require`,
      { PGPASSWORD: 'can/ary' },
      'can/ary',
      `postgresql://me:\${PGPASSWORD}@${HOST}?sslmode=require`,
      'PGPASSWORD',
    ],
    [
      'names a variable for its password',
      `postgresql://me:\${DB_PASS}@${HOST}`,
      { DB_PASS: 'can/ary' },
      'can/ary',
      `postgresql://me:\${DB_PASS}@${HOST}`,
      'DB_PASS',
    ],
    ['has no password', `postgresql://me@${HOST}`, {}, undefined, `postgresql://me@${HOST}`, undefined],
    [
      'is itself the name of a variable',
      '${SHOP_URL}',
      { SHOP_URL: `postgresql://me:canary@${HOST}` },
      'canary',
      '${SHOP_URL}',
      'SHOP_URL',
    ],
  ])(
    'reads a URL that %s and writes it without the password',
    (_, text, environment, password, written, variable) => {
      const given = givenUrl(text, 'SOURCE_PASSWORD', environment);
      expect([given.target.password, given.written, given.variable]).toEqual([password, written, variable]);
      expect(given.written).not.toMatch(/can(%2F|\/)?ary/);
    },
  );

  it.each(['canary', 'mysql://u:canary@h/d', 'postgresql://u:canary@h', 'postgresql://u:${CANARY}@h/d'])(
    'rejects %p without quoting it',
    (text) => {
      expect(() => givenUrl(text, 'SOURCE_PASSWORD', {})).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(() => givenUrl(text, 'SOURCE_PASSWORD', {})).not.toThrow(/canary/);
    },
  );
});
