import { SyncJobError } from '@understudy/sync-job';
import { ConfigurationError } from '../config/agent-configuration.js';
import { parsePolicy } from './policy-document.js';
import { Policy } from './policy.js';

const DOCUMENT = `
databases:
  production:
    url: postgresql://reader:hunter2@db.internal:5432/shop
    roles: [source]
  staging:
    url_env: STAGING_URL
    roles: [target]
urls:
  - host: DB.internal
    databases: [shop_copy]
    roles: [target]
  - host: 127.0.0.1
    port: 5433
    databases: ["*"]
    roles: [source, target]
never_preserve:
  - "public.customers.email"
  - "*.*.ssn"
  - "hr.pay_*.*"
allow_where: true
`;

const variable = (name: string) =>
  name === 'STAGING_URL' ? 'postgresql://w:s3cret@db.internal/staging' : undefined;
const policy = () => new Policy(parsePolicy(DOCUMENT, variable));

function denied(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof SyncJobError ? error.failure : error;
  }
}

describe('a policy', () => {
  it('admits a named database in its role', () => {
    expect(policy().resolveDatabase({ kind: 'agent', name: 'production' }, 'source')).toMatchObject({
      host: 'db.internal',
      database: 'shop',
      password: 'hunter2',
    });
    expect(policy().resolveDatabase({ kind: 'agent', name: 'staging' }, 'target').database).toBe('staging');
  });

  it.each([
    ['a named database in another role', { kind: 'agent', name: 'production' }, 'target'],
    ['an unknown name', { kind: 'agent', name: 'nobody' }, 'source'],
    ['a name that every JavaScript object has', { kind: 'agent', name: 'constructor' }, 'source'],
    ['an unknown host', { kind: 'url', url: 'postgres://u:p@elsewhere:5433/d' }, 'source'],
    ['another port', { kind: 'url', url: 'postgres://u:p@127.0.0.1:5432/d' }, 'source'],
    ['another database on a known host', { kind: 'url', url: 'postgres://u:p@db.internal/shop' }, 'target'],
    ['a host in another role', { kind: 'url', url: 'postgres://u:p@db.internal/shop_copy' }, 'source'],
    ['another spelling of a host', { kind: 'url', url: 'postgres://u:p@127.1:5433/d' }, 'source'],
    ['a URL with a second host', { kind: 'url', url: 'postgres://u:p@127.0.0.1:5433/d?host=evil' }, 'source'],
  ] as const)('refuses %s', (_, reference, role) => {
    expect(denied(() => policy().resolveDatabase(reference, role))).toEqual({
      code: 'policy_denied',
      side: role,
    });
  });

  it('admits every port of a host whose port is "*"', () => {
    const open = new Policy(
      parsePolicy('urls: [{host: 127.0.0.1, port: "*", databases: ["*"], roles: [source]}]', () => undefined),
    );
    const url = (host: string) => ({ kind: 'url', url: `postgres://u:p@${host}:6001/d` }) as const;
    expect(open.resolveDatabase(url('127.0.0.1'), 'source').port).toBe(6001);
    expect(() => open.resolveDatabase(url('127.0.0.2'), 'source')).toThrow(SyncJobError);
  });

  it.each([
    ['', 'sslmode=disable', 'sslmode_too_weak'],
    ['allow_plaintext: true', 'sslmode=disable', undefined],
    ['', '', undefined],
    ['min_sslmode: verify-ca', 'sslmode=require', 'sslmode_too_weak'],
    ['min_sslmode: verify-ca', 'sslmode=verify-full', undefined],
  ])('with the keys %j and a URL with %j results in the code %s', (keys, query, code) => {
    const open = new Policy(
      parsePolicy(`urls: [{host: h, databases: [d], roles: [restore]}]\n${keys}`, () => undefined),
    );
    const url = { kind: 'url', url: `postgres://u:p@h/d${query && `?${query}`}` } as const;
    const failure = denied(() => open.resolveDatabase(url, 'restore'));
    expect(failure).toMatchObject(code === undefined ? { host: 'h' } : { code, side: 'target' });
  });

  it('admits a URL by host, port, database and role', () => {
    const shop = policy().resolveDatabase(
      { kind: 'url', url: 'postgres://u:p@DB.INTERNAL/shop_copy' },
      'target',
    );
    expect(shop.host).toBe('db.internal');
    expect(
      policy().resolveDatabase({ kind: 'url', url: 'postgres://u:p@127.0.0.1:5433/any' }, 'source').port,
    ).toBe(5433);
  });

  it.each([
    ['public', 'customers', 'email', true],
    ['public', 'customers', 'emails', false],
    ['other', 'customers', 'email', false],
    ['any', 'thing', 'ssn', true],
    ['hr', 'pay_2024', 'amount', true],
    ['hr', 'people', 'amount', false],
    ['public', 'customersxemail', '', false],
  ])('refuses to preserve %s.%s.%s: %s', (schema, table, column, refused) => {
    expect(
      policy().refusesPreserve(
        { name: { schema, table }, ancestors: [], partitions: [] },
        { name: column, holdsText: true },
      ),
    ).toBe(refused);
  });

  it('admits snapshots and restores only in their own roles', () => {
    const own = new Policy(
      parsePolicy(
        `databases: {a: {url: "postgres://u:p@h/a", roles: [snapshot]}, b: {url: "postgres://u:p@h/b", roles: [source, target]}}
urls: [{host: h, databases: [c], roles: [restore]}]`,
        () => undefined,
      ),
    );
    const named = (name: string) => ({ kind: 'agent', name }) as const;
    const url = { kind: 'url', url: 'postgres://u:p@h/c' } as const;
    expect(own.resolveDatabase(named('a'), 'snapshot').database).toBe('a');
    expect(own.resolveDatabase(url, 'restore').database).toBe('c');
    expect(denied(() => own.resolveDatabase(named('a'), 'restore'))).toMatchObject({ side: 'target' });
    expect(denied(() => own.resolveDatabase(named('b'), 'restore'))).toMatchObject({ side: 'target' });
    expect(denied(() => own.resolveDatabase(named('b'), 'snapshot'))).toMatchObject({ side: 'source' });
    expect(denied(() => own.resolveDatabase(url, 'snapshot'))).toMatchObject({ side: 'source' });
  });

  it('admits jobs that replace a database only in the role replace, with the second login of its entry', () => {
    const own = new Policy(
      parsePolicy(
        `databases: {a: {url: "postgres://u:p@h/a", roles: [replace], build_url_env: B, template: t}, b: {url: "postgres://u:p@h/b", roles: [target]}}`,
        () => 'postgres://builder:q@h/postgres',
      ),
    );
    const named = (name: string) => ({ kind: 'agent', name }) as const;
    const [a, b] = [named('a'), named('b')];
    expect(own.resolveDatabase(a, 'replace').database).toBe('a');
    expect([own.resolveBuildLogin(a)?.user, own.templateOf(a)]).toEqual(['builder', 't']);
    expect([own.resolveBuildLogin(b), own.templateOf(b)]).toEqual([undefined, undefined]);
    expect(denied(() => own.resolveDatabase(a, 'target'))).toMatchObject({ side: 'target' });
    expect(denied(() => own.resolveDatabase(b, 'replace'))).toMatchObject({ side: 'target' });
  });

  it.each([
    ['no second login', '{url: "postgres://u@h/a", roles: [replace]}', 'build_url_env'],
    [
      'a second login of another server',
      '{url: "postgres://u@h:1/a", roles: [replace], build_url_env: B}',
      'port',
    ],
    [
      'a variable that is not set',
      '{url: "postgres://u@h/a", roles: [replace], build_url_env: C}',
      'build_url_env',
    ],
    [
      'a second login without the role',
      '{url: "postgres://u@h/a", roles: [target], build_url_env: B}',
      'role replace',
    ],
    [
      'a template without the role',
      '{url: "postgres://u@h/a", roles: [target], template: t}',
      'role replace',
    ],
    [
      'a template that is no name',
      '{url: "postgres://u@h/a", roles: [replace], build_url_env: B, template: 1}',
      'name',
    ],
  ])('is refused with %s', (_, entry, part) => {
    const text = `allow_plaintext: true\ndatabases: {a: ${entry}}`;
    const read = () =>
      parsePolicy(text, (name) => (name === 'B' ? 'postgres://builder@h/postgres' : undefined));
    const problems = denied(read) as ConfigurationError;
    expect(problems).toBeInstanceOf(ConfigurationError);
    expect(problems.problems).toEqual([expect.stringContaining(part)]);
  });

  it('can forbid names in failures', () => {
    expect(new Policy(parsePolicy('report_names: false', variable)).reportsNames).toBe(false);
  });

  it.each([
    ['', 24],
    ['keep_replaced_hours: 0', 0],
    ['keep_replaced_hours: 2', 2],
  ])('with the keys %j keeps replaced databases for %s hours', (keys, hours) => {
    expect(new Policy(parsePolicy(keys, variable)).keepReplacedMs).toBe(hours * 3_600_000);
  });

  it('admits nothing if it is empty', () => {
    const empty = new Policy(parsePolicy('', variable));
    expect(denied(() => empty.resolveDatabase({ kind: 'agent', name: 'x' }, 'source'))).toMatchObject({
      code: 'policy_denied',
    });
    expect(empty.rules.allowWhere).toBe(false);
    expect(empty.reportsNames).toBe(true);
  });
});

describe('a policy file', () => {
  const problems = (text: string): readonly string[] => {
    try {
      parsePolicy(text, variable);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems;
      throw error;
    }
  };

  it.each([
    [
      'an unknown key',
      'database: {}',
      [expect.stringContaining('database: unknown key; expected one of databases, urls, min_sslmode,')],
    ],
    [
      'a misspelt restriction',
      'never_preserved: ["a.b.c"]',
      [expect.stringContaining('never_preserved: unknown key')],
    ],
    ['a list instead of a map', '- a', ['the policy: expected a map']],
    [
      'a name without roles',
      'databases: {a: {url: "postgres://u:p@h/d"}}',
      [expect.stringContaining('databases.a.roles')],
    ],
    [
      'an unknown role',
      'databases: {a: {url: "postgres://u:p@h/d", roles: [admin]}}',
      [expect.stringContaining('roles')],
    ],
    [
      'neither url nor url_env',
      'databases: {a: {roles: [source]}}',
      ['databases.a: give either url or url_env'],
    ],
    [
      'both url and url_env',
      'databases: {a: {url: "postgres://u:p@h/d", url_env: STAGING_URL, roles: [source]}}',
      ['databases.a: give either url or url_env'],
    ],
    [
      'a variable that is not set',
      'databases: {a: {url_env: NOPE, roles: [source]}}',
      [expect.stringContaining('url_env')],
    ],
    [
      'a wildcard host',
      'urls: [{host: "*", databases: ["*"], roles: [source]}]',
      [expect.stringContaining('urls[0].host')],
    ],
    [
      'a URL rule without databases',
      'urls: [{host: h, roles: [source]}]',
      [expect.stringContaining('urls[0].databases')],
    ],
    [
      'a port out of range',
      'urls: [{host: h, port: 70000, databases: [a], roles: [source]}]',
      ['urls[0].port: expected a port number, or "*" for all'],
    ],
    ['a pattern of two parts', 'never_preserve: ["a.b"]', [expect.stringContaining('never_preserve[0]')]],
    ['a string for allow_where', 'allow_where: "yes"', ['allow_where: expected true or false']],
    [
      'an unknown min_sslmode',
      'min_sslmode: prefer',
      ['min_sslmode: expected one of require, verify-ca, verify-full'],
    ],
    [
      'both min_sslmode and allow_plaintext',
      'min_sslmode: require\nallow_plaintext: true',
      ['allow_plaintext: contradicts min_sslmode; leave one of them out'],
    ],
    [
      'a database on another machine in plaintext',
      'databases: {a: {url: "postgres://u:p@h/d?sslmode=disable", roles: [source]}}',
      [
        'databases.a: expected sslmode=require or stronger for a database on another machine, or allow_plaintext: true',
      ],
    ],
    [
      'a database below min_sslmode',
      'min_sslmode: verify-full\ndatabases: {a: {url: "postgres://u:p@h/d", roles: [source]}}',
      [expect.stringContaining('databases.a: expected sslmode=verify-full or stronger')],
    ],
    ['an unknown protect', 'protect: all', ['protect: expected all_text_unless_listed']],
    [
      'may_preserve without protect',
      'may_preserve: ["a.b.c"]',
      ['may_preserve: expected protect: all_text_unless_listed in the same policy'],
    ],
    ['an unknown unlisted', 'unlisted: preserve', ['unlisted: expected reject']],
    [
      'a min_values_floor of 0',
      'min_values_floor: 0',
      ['min_values_floor: expected a whole number from 1 to 1000000'],
    ],
    ['a string for allow_training', 'allow_training: "no"', ['allow_training: expected true or false']],
    [
      'a snapshot of protected columns',
      'never_preserve: ["a.b.c"]\ndatabases: {a: {url: "postgres://u:p@h/d", roles: [source, snapshot]}}',
      [expect.stringMatching(/^databases\.a: the role snapshot .* expected snapshots_hold_originals: true$/)],
    ],
    [
      'a URL rule for snapshots and with protect',
      'protect: all_text_unless_listed\nurls: [{host: h, databases: [d], roles: [snapshot]}]',
      [expect.stringContaining('urls[0]: the role snapshot')],
    ],
    [
      'a negative age of snapshots',
      'snapshots: {min_age_hours: -1}',
      ['snapshots.min_age_hours: expected a whole number from 0 to 8760'],
    ],
    [
      'a keep_replaced_hours that is no whole number',
      'keep_replaced_hours: 0.5',
      ['keep_replaced_hours: expected a whole number from 0 to 8760'],
    ],
    [
      'an unknown key of snapshots',
      'snapshots: {min_age: 1}',
      ['snapshots.min_age: unknown key; expected one of min_age_hours'],
    ],
    ['a duplicate key', 'allow_where: true\nallow_where: false', [expect.stringContaining('expected YAML')]],
    ['an alias without an anchor', 'databases: *x', [expect.anything()]],
    ['broken YAML', 'urls: [', [expect.stringContaining('expected YAML')]],
  ])('is refused with %s', (_, text, expected) => {
    expect(problems(text)).toEqual(expect.arrayContaining(expected as unknown[]));
    expect(problems(text).length).toBeGreaterThan(0);
  });

  it.each([
    'never_preserve: ["a.b.c"]\nsnapshots_hold_originals: true',
    'protect: all_text_unless_listed\nsnapshots_hold_originals: true',
    'never_preserve: []',
  ])('with the keys %j admits snapshots', (keys) => {
    const databases = 'databases: {a: {url: "postgres://u:p@h/d", roles: [snapshot]}}';
    expect(problems(`${keys}\n${databases}`)).toEqual([]);
  });

  it('is refused with all its problems, none of which quotes a URL', () => {
    const found = problems(
      'allow_where: 1\ndatabases: {a: {url: "postgres://u:hunter2@h/d?host=x", roles: []}}\nurls: {}\nextra: 1',
    );
    expect(found.length).toBeGreaterThanOrEqual(5);
    expect(found.join()).not.toContain('hunter2');
  });
});
