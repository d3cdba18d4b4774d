import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestIssuer, TestAuthority, TestProxy } from '@understudy/testing';
import { Outbound } from '@understudy/outbound';

import { OidcProvider } from '../../../src/accounts/oidc-sign-in/oidc-provider.js';

const CHECKS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
const REDIRECT_URI = 'https://understudy.test/dashboard/oidc/company/callback';

describe('a provider with a certificate of a private authority', () => {
  it('is reached with UNDERSTUDY_CA_FILE only, also through a proxy', async () => {
    const authority = await TestAuthority.create();
    const folder = mkdtempSync(join(tmpdir(), 'understudy-oidc-'));
    const caFile = join(folder, 'ca.crt');
    writeFileSync(caFile, authority.ca);
    const issuer = await startTestIssuer({
      redirectUri: REDIRECT_URI,
      client: { id: 'understudy', method: 'none' },
      certificate: await authority.issue(['localhost']),
    });
    const proxy = await TestProxy.start();
    const start = (outbound: Outbound) => {
      const settings = { id: 'company', name: 'Company', clientId: 'understudy', scopes: ['openid'] };
      const environment = { outbound, redirectUri: REDIRECT_URI, timeoutMs: 60_000 };
      const provider = new OidcProvider({ ...settings, issuer: `${issuer.url}/` }, environment);
      return provider.authorizationUrl(CHECKS);
    };

    await expect(start(new Outbound({}))).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await start(new Outbound({ caFile }))).toMatch(`${issuer.url}/auth?`);
    expect(proxy.requests).toEqual([]);
    const { port } = proxy;
    expect(await start(new Outbound({ caFile, proxy: { host: '127.0.0.1', port, tls: false } }))).toMatch(
      `${issuer.url}/auth?`,
    );
    expect(proxy.requests).toEqual([new URL(issuer.url).host]);

    rmSync(folder, { recursive: true });
    await proxy.stop();
    await issuer.stop();
  });
});
