import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

import { TestAuthority } from '@understudy/testing';

import { type OutboundSettings, readOutboundSettings } from './outbound-settings.js';
import { bypassesProxy } from './proxy.js';
import { TrustedAuthorities } from './trusted-authorities.js';

function read(env: Record<string, string>): { settings: OutboundSettings; problems: string[] } {
  const problems: string[] = [];
  return { settings: readOutboundSettings(env, problems), problems };
}

describe('the proxy', () => {
  it.each([
    ['http://proxy.example.com:3128', { host: 'proxy.example.com', port: 3128, tls: false }],
    ['http://proxy.example.com:80/', { host: 'proxy.example.com', port: 80, tls: false }],
    ['proxy.example.com', { host: 'proxy.example.com', port: 1080, tls: false }],
    ['https://[2001:db8::1]', { host: '2001:db8::1', port: 443, tls: true }],
    [
      'http://us:p%40ss@proxy',
      { host: 'proxy', port: 1080, tls: false, authorization: `Basic ${btoa('us:p@ss')}` },
    ],
  ])('is read from %s', (url, proxy) => {
    expect(read({ HTTPS_PROXY: url })).toEqual({ settings: { proxy }, problems: [] });
  });

  it.each(['socks5://us:secret@proxy', 'http://', 'http://us:%secret@proxy', 'http://us:secret@proxy:port'])(
    'is refused if its URL is %s, without quoting it',
    (url) => {
      const { problems } = read({ HTTPS_PROXY: url });
      expect(problems).toEqual([
        expect.stringContaining('HTTPS_PROXY must be a URL that starts with http://'),
      ]);
      expect(problems.join()).not.toContain('secret');
    },
  );

  it('has a lower-case variable that precedes the other one', () => {
    const { settings } = read({
      HTTPS_PROXY: 'http://one',
      https_proxy: 'http://two',
      NO_PROXY: 'a',
      no_proxy: 'b',
    });
    expect(settings).toMatchObject({ proxy: { host: 'two' }, noProxy: 'b' });
  });
});

it.each([
  ['control.example.com', 'example.com', true],
  ['control.example.com', '.example.com', true],
  ['control.example.com.', 'other, EXAMPLE.com', true],
  ['example.com', '.example.com', true],
  ['badexample.com', 'example.com', false],
  ['example.com', 'control.example.com', false],
  ['control.example.com', '*', true],
  ['control.example.com', '*.example.com', false],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.3/33', false],
  ['2001:db8::1', '[2001:db8::1]', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db8::1', '10.0.0.0/8', false],
  ['10.1.2.3', '', false],
])('the host %s with NO_PROXY "%s" is reached without the proxy: %s', (host, noProxy, expected) => {
  expect(bypassesProxy(host, noProxy)).toBe(expected);
});

describe('the CA file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ca-file-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is accepted with a certificate among other lines', async () => {
    const path = join(folder, 'good.pem');
    writeFileSync(path, `# comment\n${(await TestAuthority.create()).ca}\n`);
    expect(read({ UNDERSTUDY_CA_FILE: path })).toEqual({ settings: { caFile: path }, problems: [] });
  });

  it('is trusted in addition to the authorities of Node.js and NODE_EXTRA_CA_CERTS', async () => {
    const [ours, nodes] = [await TestAuthority.create('Ours'), await TestAuthority.create('Of Node.js')];
    writeFileSync(join(folder, 'ours.pem'), ours.ca);
    writeFileSync(join(folder, 'nodes.pem'), nodes.ca);
    const { settings } = read({
      UNDERSTUDY_CA_FILE: join(folder, 'ours.pem'),
      NODE_EXTRA_CA_CERTS: join(folder, 'nodes.pem'),
    });
    const { ca = [], minVersion } = new TrustedAuthorities(settings).options();
    expect(minVersion).toBe('TLSv1.2');
    expect(ca).toEqual([...rootCertificates, nodes.ca, ours.ca.trim()]);
  });

  it('leaves the authorities to Node.js if it is not set', () => {
    expect(new TrustedAuthorities({}).options()).toEqual({ minVersion: 'TLSv1.2' });
  });

  it.each([
    ['is empty', '', 'it contains no certificate'],
    [
      'is a key',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      'it contains no certificate',
    ],
    [
      'is damaged',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'it contains a damaged certificate',
    ],
    ['is too large', 'x'.repeat(5_000_000), 'it is larger than 4 MiB'],
    ['is missing', undefined, 'it cannot be read (ENOENT)'],
  ])('is refused if it %s, without naming its path', (_, text, problem) => {
    const path = join(folder, 'bad.pem');
    rmSync(path, { force: true });
    if (text !== undefined) writeFileSync(path, text);
    expect(read({ UNDERSTUDY_CA_FILE: path }).problems).toEqual([
      `UNDERSTUDY_CA_FILE must name a file with certificates in PEM format: ${problem}`,
    ]);
  });
});
