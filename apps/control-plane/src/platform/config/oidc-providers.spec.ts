import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EnvironmentReader } from '@understudy/operator-commands';

import { ConfigurationError } from './configuration.js';
import { readOidcProviders } from './oidc-providers.js';

const COMPANY = { id: 'company', name: 'Company account', issuer: 'https://id.example.com', client_id: 'us' };
const ORGANIZATION = 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E';

function read(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const reader = new EnvironmentReader({ UNDERSTUDY_OIDC_PROVIDERS: text });
  const providers = readOidcProviders(reader);
  if (reader.problems.length > 0) throw new ConfigurationError(reader.problems);
  return providers;
}

describe('readOidcProviders', () => {
  it('returns no provider by default, and the default scopes for a provider without scopes', () => {
    expect(read('')).toEqual([]);
    expect(read([{ ...COMPANY, client_secret: 'topsecret' }])).toEqual([
      {
        ...{ id: 'company', name: 'Company account', issuer: 'https://id.example.com/', clientId: 'us' },
        clientSecret: 'topsecret',
        scopes: ['openid', 'email'],
      },
    ]);
  });

  it('reads the scopes, the organisations and a secret from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-oidc-'));
    const client_secret_file = join(folder, 'secret');
    writeFileSync(client_secret_file, 'from-the-file\n');
    const scopes = ['openid', 'email', 'profile'];
    expect(read([{ ...COMPANY, client_secret_file, scopes, organizations: [ORGANIZATION] }])).toMatchObject([
      { clientSecret: 'from-the-file', scopes, organizations: [ORGANIZATION] },
    ]);
    rmSync(folder, { recursive: true });
    const refusal = () => read([{ ...COMPANY, client_secret_file }]);
    expect(refusal).toThrow(
      'UNDERSTUDY_OIDC_PROVIDERS[0].client_secret_file must name a readable file that contains a text',
    );
    expect(refusal).not.toThrow(folder);
  });

  it.each([
    ['https://id.example.com/realms/acme', true],
    ['http://127.0.0.1:9000', true],
    ['http://localhost/x', true],
    ['http://[::1]:9000', true],
    ['http://id.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['https://user@id.example.com', false],
    ['https://id.example.com?tenant=1', false],
    ['https://id.example.com#x', false],
    ['ftp://id.example.com', false],
    ['id.example.com', false],
    [5, false],
  ])('decides whether the issuer %j is accepted: %j', (issuer, isAccepted) => {
    const attempt = () => read([{ ...COMPANY, issuer }]);
    if (isAccepted) expect(attempt()).toHaveLength(1);
    else
      expect(attempt).toThrow('UNDERSTUDY_OIDC_PROVIDERS[0].issuer must be a URL that starts with https://');
  });

  it.each([
    ['{}', 'UNDERSTUDY_OIDC_PROVIDERS must be a JSON array'],
    ['[', 'UNDERSTUDY_OIDC_PROVIDERS must be a JSON array'],
    [[1], 'UNDERSTUDY_OIDC_PROVIDERS must be a JSON array'],
    [Array.from({ length: 21 }, () => COMPANY), 'UNDERSTUDY_OIDC_PROVIDERS must be a JSON array'],
    [[{ ...COMPANY, id: 'Company' }], '[0].id must be at most 40 lower-case letters'],
    [[{ ...COMPANY, id: 'a/b' }], '[0].id must be at most 40 lower-case letters'],
    [[{ ...COMPANY, id: 'organizations' }], '[0].id must be at most 40 lower-case letters'],
    [[{ ...COMPANY, name: '' }], '[0].name must be a text'],
    [[{ ...COMPANY, name: 'a\u0000b' }], '[0].name must be a text'],
    [[{ ...COMPANY, client_id: null }], '[0].client_id must be a text'],
    [[{ ...COMPANY, client_secret: '' }], '[0].client_secret must be a text'],
    [[{ ...COMPANY, client_secret: 'a', client_secret_file: 'b' }], '[0] must have client_secret or'],
    [[{ ...COMPANY, scopes: ['email'] }], '[0].scopes must be a list'],
    [[{ ...COMPANY, scopes: ['openid', 'a b'] }], '[0].scopes must be a list'],
    [[{ ...COMPANY, organizations: [] }], '[0].organizations must be a list'],
    [[{ ...COMPANY, organizations: ['acme'] }], '[0].organizations must be a list'],
    [[{ ...COMPANY, secret: 'a' }], '[0] must contain only the fields'],
    [[COMPANY, { ...COMPANY, issuer: 'https://b.example.com' }], 'must not contain the same id twice'],
    [[COMPANY, { ...COMPANY, id: 'b', issuer: 'https://id.example.com/' }], 'the same issuer twice'],
  ])('refuses %j', (value, problem) => {
    expect(() => read(value)).toThrow(ConfigurationError);
    expect(() => read(value)).toThrow(problem);
  });
});
