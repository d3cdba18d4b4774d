import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { caddyExample, nginxExample, type ProxySettings } from './proxy-examples.js';

const GUIDE = join(import.meta.dirname, '../../../../../docs/guides/connect-an-agent.md');
const ofGuide: ProxySettings = {
  host: 'understudy.example.com',
  apiPort: 8080,
  webSocketPort: 9222,
  certificate: {
    certFile: '/etc/ssl/understudy/understudy.crt',
    keyFile: '/etc/ssl/understudy/understudy.key',
  },
  requestsCertificate: false,
};

describe('the examples of reverse proxies', () => {
  // The tests with two networks run the files of the guide.
  it.each([
    ['nginx understudy.conf', nginxExample],
    ['caddyfile Caddyfile', caddyExample],
  ])('are those of the guide: %s', (fence, example) => {
    const [, rest = ''] = readFileSync(GUIDE, 'utf8').split(`\`\`\`${fence}\n`);
    expect(example(ofGuide)).toBe(rest.split('```')[0]);
  });

  it('use the port of the public URL, and have no NATS without WebSocket', () => {
    const { apiPort, certificate } = ofGuide;
    const other = { apiPort, certificate, host: '[2001:db8::1]:8443', requestsCertificate: true };
    expect(nginxExample(other)).toMatch(/listen 8443 ssl;\n {2}server_name \[2001:db8::1\];/);
    expect(caddyExample(other)).toMatch(/^\[2001:db8::1\]:8443 \{\n {2}handle \{/);
    expect(nginxExample(other) + caddyExample(other)).not.toContain('nats');
  });
});
