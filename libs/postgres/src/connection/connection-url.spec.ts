import { parseConnectionUrl } from './connection-url.js';

describe('parseConnectionUrl', () => {
  it('returns host, port, database, user and password', () => {
    expect(parseConnectionUrl('postgresql://us%40er:p%3Aw@DB.example.com:6543/my%20db')).toEqual({
      host: 'db.example.com',
      port: 6543,
      database: 'my db',
      user: 'us@er',
      password: 'p:w',
      sslMode: 'require',
      display: 'postgresql://us%40er:***@db.example.com:6543/my%20db',
    });
  });

  it('uses port 5432 and no password if the URL contains neither', () => {
    expect(parseConnectionUrl('postgres://u@127.0.0.1/d')).toEqual({
      host: '127.0.0.1',
      port: 5432,
      database: 'd',
      user: 'u',
      display: 'postgresql://u:***@127.0.0.1:5432/d',
    });
  });

  it('accepts an IPv6 address in brackets', () => {
    expect(parseConnectionUrl('postgres://u:p@[::1]:5433/d')).toMatchObject({ host: '::1', port: 5433 });
  });

  it.each([
    ['disable', undefined],
    ['prefer', 'require'],
    ['require', 'require'],
    ['verify-ca', 'verify-ca'],
    ['verify-full', 'verify-full'],
  ])('accepts sslmode=%s for a remote server', (mode, expected) => {
    const { sslMode } = parseConnectionUrl(
      `postgres://u:p@h/d?sslmode=${mode}&application_name=x&connect_timeout=5`,
    );
    expect(sslMode).toBe(expected);
  });

  it.each(['h', '10.0.0.1', '0.0.0.0', '[::ffff:10.0.0.1]', 'localhost.example.com'])(
    'encrypts a connection to %s if the URL contains no sslmode',
    (host) => {
      expect(parseConnectionUrl(`postgres://u:p@${host}/d`).sslMode).toBe('require');
    },
  );

  it.each(['localhost', '127.0.0.1', '127.9.8.7', '[::1]', '[::ffff:127.0.0.1]', 'LOCALHOST'])(
    'does not encrypt a connection to %s without sslmode or with sslmode=prefer',
    (host) => {
      expect(parseConnectionUrl(`postgres://u:p@${host}/d`).sslMode).toBeUndefined();
      expect(parseConnectionUrl(`postgres://u:p@${host}/d?sslmode=prefer`).sslMode).toBeUndefined();
      expect(parseConnectionUrl(`postgres://u:p@${host}/d?sslmode=require`).sslMode).toBe('require');
    },
  );

  it.each([
    ['another scheme', 'mysql://u:p@h/d'],
    ['a key=value string', 'host=h user=u dbname=d password=p'],
    ['no user', 'postgres://h/d'],
    ['an empty user', 'postgres://:p@h/d'],
    ['no database', 'postgres://u:p@h/'],
    ['no path', 'postgres://u:p@h'],
    ['no host', 'postgres://u:p@/d'],
    ['several hosts', 'postgres://u:p@h1,h2/d'],
    ['several hosts with ports', 'postgres://u:p@h1:1,h2:2/d'],
    ['a socket as host', 'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/d'],
    ['a socket as parameter', 'postgres://u:p@h/d?host=/var/run/postgresql'],
    ['another host as parameter', 'postgres://u:p@h/d?host=evil'],
    ['hostaddr', 'postgres://u:p@h/d?hostaddr=10.0.0.1'],
    ['port as parameter', 'postgres://u:p@h/d?port=1'],
    ['dbname as parameter', 'postgres://u:p@h/d?dbname=other'],
    ['user as parameter', 'postgres://u:p@h/d?user=postgres'],
    ['a service', 'postgres://u:p@h/d?service=prod'],
    ['a client certificate', 'postgres://u:p@h/d?sslcert=/etc/passwd'],
    ['a key file', 'postgres://u:p@h/d?sslkey=/etc/shadow'],
    ['a root certificate file', 'postgres://u:p@h/d?sslrootcert=/etc/passwd'],
    ['a password file', 'postgres://u:p@h/d?passfile=/x'],
    ['server options', 'postgres://u:p@h/d?options=-c%20session_authorization'],
    ['a parameter in other letters', 'postgres://u:p@h/d?SSLMODE=disable'],
    ['an escaped parameter name', 'postgres://u:p@h/d?ho%73t=evil'],
    ['a parameter twice', 'postgres://u:p@h/d?sslmode=verify-full&sslmode=disable'],
    ['an unknown sslmode', 'postgres://u:p@h/d?sslmode=no-verify'],
    ['a parameter without value', 'postgres://u:p@h/d?sslmode'],
    ['a fragment', 'postgres://u:p@h/d#x'],
    ['a second at sign', 'postgres://u:p@evil@h/d'],
    ['a slash in the database', 'postgres://u:p@h/d/e'],
    ['a line feed', 'postgres://u:p@h/d\n'],
    ['a null byte', 'postgres://u:p@h/d%00'],
    ['a broken escape', 'postgres://u:p@h/%zz'],
    ['port 0', 'postgres://u:p@h:0/d'],
    ['a port too large', 'postgres://u:p@h:65536/d'],
    ['white space before', ' postgres://u:p@h/d'],
    ['a backslash', 'postgres://u:p@h\\evil/d'],
    ['an empty text', ''],
  ])('rejects a URL with %s without quoting it', (_, url) => {
    expect.assertions(3);
    try {
      parseConnectionUrl(url);
    } catch (error) {
      expect(error).toHaveProperty('name', 'ConnectionUrlError');
      const { message } = error as Error;
      expect(message).not.toContain('evil');
      expect(message).not.toMatch(/u:p|passwd|shadow/);
    }
  });
});
