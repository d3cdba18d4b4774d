import { parsePolicy } from './policy-document.js';
import { policySections } from './policy-sections.js';

const POLICY = `
databases:
  shop: { url: "postgresql://app:secret@localhost:5432/shop", roles: [source, target] }
  other: { url: "postgresql://app@localhost:5432/other", roles: [source] }
urls:
  - { host: localhost, databases: [one, two], roles: [target] }
  - { host: 127.0.0.1, port: "*", databases: ["*"], roles: [source] }
never_preserve: ["*.customers.email", "public.orders.note"]
`;

function shopOf(text: string) {
  return policySections(parsePolicy(text, () => undefined)).databases.get('shop');
}

function urlsOf(text: string) {
  return policySections(parsePolicy(text, () => undefined)).urls;
}

describe('the section of a database', () => {
  it.each([
    ['the password', 'app:secret@', 'app:another@'],
    ['another database', '/other"', '/elsewhere"'],
    ['the order of its roles', '[source, target]', '[target, source]'],
    [
      'the order of its rules',
      '"*.customers.email", "public.orders.note"',
      '"public.orders.note", "*.customers.email"',
    ],
    ['an explicit default', 'never_preserve:', 'allow_where: false\nnever_preserve:'],
    ['the rules for URLs', 'host: localhost', 'host: 127.0.0.2'],
  ])('does not depend on %s', (_, from, to) => {
    expect(shopOf(POLICY.replace(from, to))).toBe(shopOf(POLICY));
    expect(POLICY).toContain(from);
  });

  it.each([
    ['the host', 'localhost:5432/shop', '127.0.0.1:5432/shop'],
    ['the port', 'localhost:5432/shop', 'localhost:5433/shop'],
    ['the database', '5432/shop', '5432/shop2'],
    ['the role of PostgreSQL', 'app:secret', 'owner:secret'],
    ['the roles in the policy', '[source, target]', '[source]'],
    ['never_preserve columns', '*.customers.email', '*.customers.phone'],
    ['parts of a pattern', 'public.orders.note', 'orders.public.note'],
    ['allow_where', 'never_preserve:', 'allow_where: true\nnever_preserve:'],
  ])('depends on %s', (_, from, to) => {
    expect(POLICY).toContain(from);
    expect(shopOf(POLICY.replace(from, to))).not.toBe(shopOf(POLICY));
  });

  it('holds no password', () => {
    expect(shopOf(POLICY)).not.toContain('secret');
  });

  it('holds the role of its second login, and not its password', () => {
    const text = POLICY.replace('[source, target]', '[replace], build_url_env: BUILD');
    const url = 'postgresql://builder:secret@localhost:5432/postgres';
    const section = policySections(parsePolicy(text, () => url)).databases.get('shop');
    expect(section).toContain('builder');
    expect(section).not.toContain('secret');
  });
});

describe('the section of URLs', () => {
  it('depends on the rules for URLs and the common rules, but not on named databases', () => {
    expect(urlsOf(POLICY.replace('/shop"', '/shop2"'))).toBe(urlsOf(POLICY));
    for (const [from, to] of [
      ['host: localhost', 'host: 127.0.0.2'],
      ['port: "*"', 'port: 6432'],
      ['[one, two]', '[one]'],
      ['*.customers.email', '*.customers.phone'],
    ] as const) {
      expect(urlsOf(POLICY.replace(from, to))).not.toBe(urlsOf(POLICY));
    }
  });

  it('is undefined if the policy admits no URLs', () => {
    expect(urlsOf('databases: {}')).toBeUndefined();
  });
});

describe('a rule without a canonical text', () => {
  it('causes an error', () => {
    const rules = { ...parsePolicy(POLICY, () => undefined), someday: { rule: () => true } };
    expect(() => policySections(rules)).toThrow(TypeError);
  });
});
