import { readDatabaseUrl } from './read-database-url.js';

const read = (url: string, environment: Record<string, string> = {}) =>
  readDatabaseUrl(url, { environment, userName: 'me' });

describe('readDatabaseUrl', () => {
  it.each<[string, Record<string, string>, object]>([
    [
      'postgresql://u:p%40@h:6543/my%20db',
      {},
      { host: 'h', port: 6543, database: 'my db', user: 'u', password: 'p@' },
    ],
    ['postgres://h', {}, { host: 'h', port: 5432, database: 'me', user: 'me', sslMode: 'require' }],
    ['postgres://u@h/shop?sslmode=allow', {}, { sslMode: 'require' }],
    ['postgres://u@h/shop?sslmode=prefer', {}, { sslMode: 'require' }],
    ['postgres://u@h/shop', { PGSSLMODE: 'prefer' }, { sslMode: 'require' }],
    ['postgres:///shop', {}, { host: 'localhost', database: 'shop' }],
    ['postgres://[::1]/shop', {}, { host: '::1' }],
    ['postgres:///shop?host=/run/postgresql&port=6', {}, { host: '/run/postgresql', port: 6 }],
    ['postgres://u@h/shop?sslmode=verify-full&connect_timeout=3', {}, { sslMode: 'verify-full' }],
    [
      'postgres://',
      { PGHOST: 'eh', PGPORT: '7', PGUSER: 'eu', PGPASSWORD: 'ep', PGDATABASE: 'ed', PGSSLMODE: 'require' },
      {
        host: 'eh',
        port: 7,
        user: 'eu',
        password: 'ep',
        database: 'ed',
        sslMode: 'require',
        display: 'eu@eh:7/ed',
      },
    ],
    [
      'postgres://u@h/d',
      { PGHOST: 'eh', PGUSER: 'eu', PGDATABASE: 'ed' },
      { host: 'h', user: 'u', database: 'd' },
    ],
  ])('reads %s with the environment %j as %j', (url, environment, target) => {
    expect(read(url, environment)).toMatchObject(target);
  });

  it('omits the password from the displayed address', () => {
    expect(read('postgres://u:topsecret@h/d').display).toBe('u@h:5432/d');
    expect(read('postgres://u@h/d')).not.toHaveProperty('password');
    expect(read('postgres://u@localhost/d?sslmode=prefer')).not.toHaveProperty('sslMode');
    expect(read('postgres://u@h/d?sslmode=disable')).not.toHaveProperty('sslMode');
    expect(read('postgres:///d?host=/run/postgresql')).not.toHaveProperty('sslMode');
  });

  it('refuses a plaintext connection to another machine that only PGSSLMODE requests', () => {
    expect(() => read('postgres://u@h/d', { PGSSLMODE: 'disable' })).toThrow('add ?sslmode=disable');
    expect(read('postgres://u@localhost/d', { PGSSLMODE: 'disable' })).not.toHaveProperty('sslMode');
  });

  it.each([
    '',
    'shop',
    'mysql://u:topsecret@h/d',
    'host=h password=topsecret',
    'postgres://u:topsecret@h:99999/d',
    'postgres://u:topsecret@h/d/e',
    'postgres://u:topsecret@h/%zz',
    'postgres://u:topsecret@h/d%00',
    'postgres://u:topsecret@h/d?service=x',
    'postgres://u:topsecret@h/d?sslmode=yes',
    'postgres://u:topsecret@h/d?sslcert=/topsecret',
  ])('rejects %j without quoting its password', (url) => {
    expect(() => read(url)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => read(url)).not.toThrow('topsecret');
  });
});
