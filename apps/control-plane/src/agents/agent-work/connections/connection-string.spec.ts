import fc from 'fast-check';

import { readConnectionString } from './connection-string.js';

describe('readConnectionString', () => {
  it.each([
    ['agent:shop_production', 'agent', 'agent:shop_production'],
    ['postgresql://app:s3cret@db.internal:6432/shop', 'url', 'postgresql://app:***@db.internal:6432/shop'],
    ['postgres://app:s3cret@db.internal/shop', 'url', 'postgresql://app:***@db.internal:5432/shop'],
    ['postgresql://app@10.0.0.7/shop', 'url', 'postgresql://app@10.0.0.7:5432/shop'],
    ['postgresql://10.0.0.7/shop', 'url', 'postgresql://10.0.0.7:5432/shop'],
    ['postgresql://app:x@[::1]:5433/shop', 'url', 'postgresql://app:***@[::1]:5433/shop'],
    ['postgresql://app:x@h/shop?sslmode=require', 'url', 'postgresql://app:***@h:5432/shop'],
  ])('reads %s', (text, kind, display) => {
    expect(readConnectionString(text)).toMatchObject({ kind, display });
  });

  it.each([
    '',
    'agent:',
    'agent:two words',
    'mysql://u:hunter2@h/db',
    'postgresql://',
    'postgresql:///db',
    'postgresql://u:hunter2@h',
    'postgresql://u:hunter2@h/',
    'postgresql://u:hunter2@h/a/b',
    'postgresql://u:hunter2@h:99999/db',
    'postgresql://u:hun#ter2@h/db',
    'postgresql://u:hunter2@h1:1,h2:2/db',
    'postgresql://u:x@h/db?password=hunter2',
    'postgresql://u:x@h/db?host=elsewhere',
    'postgresql://u:hunter2@h/d\tb',
    `postgresql://u:${'x'.repeat(3000)}@h/db`,
  ])('refuses %j with a message that does not quote the string', (text) => {
    const read = readConnectionString(text);
    expect(read).toHaveProperty('problem');
    expect(JSON.stringify(read)).not.toMatch(/hunter2|xxxx|elsewhere/);
  });

  it('never shows a password in the display text', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9]{12,30}$/);
    fc.assert(
      fc.property(password, (secret) => {
        const read = readConnectionString(`postgresql://someone:${secret}@host/db`);
        expect('display' in read && !read.display.includes(secret)).toBe(true);
      }),
    );
  });
});
