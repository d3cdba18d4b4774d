import { chmodSync, lchownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';

import { createUserSeed } from '@understudy/agent-protocol/nats-trust';
import { describeUnless, TestAuthority } from '@understudy/testing';

import { programOf, run, runAsOrdinaryUser, runOnTerminal, TestRoot, TOKEN } from './installation.js';

const CONTROL_URL = 'https://understudy.example.com/v1';
const notRoot = process.getuid?.() === 0 ? undefined : 'only root can install a service';
const UNIT = 'etc/systemd/system/understudy-agent.service';

let root: TestRoot;
beforeEach(() => {
  root = new TestRoot();
});
afterEach(() => root.remove());

const install = (input: string, ...options: string[]) =>
  run('agent', ['service', 'install', '--root', root.folder, ...options], input);
const installNew = (...options: string[]) =>
  install(`${TOKEN}\n`, '--control-url', CONTROL_URL, '--name', 'eu 1', ...options);
const uninstall = (...options: string[]) =>
  run('agent', ['service', 'uninstall', '--root', root.folder, ...options]);

/** Returns the content of identity.json of an enrolled agent. */
function identity(): unknown {
  const key = Buffer.alloc(32, 7).toString('base64');
  return {
    ...{ agent_id: 'agt_1', organization_id: 'org_1', nats_urls: [], nats_seed: createUserSeed() },
    ...{ sealing_public_key: key, sealing_private_key: key, masking_key: key, model_key: key },
  };
}

/** Only root can create users and change owners. */
describeUnless(notRoot)('the service of an agent, installed by root', () => {
  it('has a user, files that only this user can read, and the unit that --print shows', async () => {
    const { code, stdout, stderr } = await installNew();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { uid, gid } = root.ids('understudy-agent');
    expect(Math.min(uid, gid)).toBeGreaterThan(0);
    expect(root.read('etc/passwd')).toMatch(/^understudy-agent:.*:\/var\/lib\/understudy-agent:.*nologin$/m);
    for (const [path, access] of [
      ['etc/understudy-agent', `0:${gid} 750`],
      ['etc/understudy-agent/agent.env', `0:${gid} 640`],
      ['etc/understudy-agent/policy.yaml', `0:${gid} 640`],
      ['etc/understudy-agent/enrolment-token', `0:${gid} 640`],
      ['var/lib/understudy-agent', `${uid}:${gid} 700`],
      [UNIT, '0:0 644'],
    ] as const) {
      expect({ path, access: root.access(path) }).toEqual({ path, access });
      expect(stdout).toContain(`created   /${path === 'etc/understudy-agent' ? `${path}/` : path}`);
    }
    expect(root.read(UNIT)).toBe((await run('agent', ['service', 'install', '--print'])).stdout);
    expect(root.read('etc/understudy-agent/enrolment-token')).toBe(`${TOKEN}\n`);
    expect(root.read('etc/understudy-agent/agent.env')).toContain('\nUNDERSTUDY_AGENT_NAME=eu 1\n');
    expect(root.list().filter((path) => path.includes('draft'))).toEqual([]);
  });

  it('trusts a copy of the certificate authorities that the command names', async () => {
    const { ca } = await TestAuthority.create();
    writeFileSync(root.path('authority.pem'), ca);
    const installed = await installNew('--ca-file', root.path('authority.pem'));
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const copy = 'etc/understudy-agent/ca.crt';
    expect(root.read(copy)).toBe(ca);
    expect(root.access(copy)).toBe(`0:${root.ids('understudy-agent').gid} 640`);
    expect(root.read('etc/understudy-agent/agent.env')).toContain(`\nUNDERSTUDY_CA_FILE=/${copy}\n`);
  });

  it('does not print the token, and does not show it while it is typed', async () => {
    const args = ['service', 'install', '--control-url', CONTROL_URL, '--root', root.folder];
    expect((await install(`${TOKEN}\n`, '--control-url', CONTROL_URL)).stdout).not.toContain(TOKEN);
    rmSync(root.path('etc/understudy-agent/enrolment-token'));
    const terminal = await runOnTerminal(process.execPath, [programOf('agent'), ...args], {
      prompt: 'Enrolment token: ',
      answer: TOKEN,
    });
    expect(terminal).toContain('created   /etc/understudy-agent/enrolment-token');
    expect(terminal).not.toContain(TOKEN.slice(0, 12));
    expect(root.read('etc/understudy-agent/enrolment-token')).toBe(`${TOKEN}\n`);
  });

  it('keeps the content of its files if it is installed again, and corrects their access', async () => {
    await installNew();
    const policy = 'etc/understudy-agent/policy.yaml';
    writeFileSync(root.path(policy), 'databases: {}\n');
    chmodSync(root.path(policy), 0o666);
    writeFileSync(root.path(UNIT), 'old\n');
    const { code, stdout } = await install('', '--control-url', 'https://other.example.com/v1');
    expect(code).toBe(0);
    expect(root.read(policy)).toBe('databases: {}\n');
    expect(root.access(policy)).toBe(`0:${root.ids('understudy-agent').gid} 640`);
    expect(root.read('etc/understudy-agent/agent.env')).toContain(`UNDERSTUDY_CONTROL_URL=${CONTROL_URL}\n`);
    expect(stdout).toContain(`kept      /${policy}\n`);
    expect(stdout).toContain(`replaced  /${UNIT}\n`);
    expect(stdout).toContain('  systemctl daemon-reload\n');
    expect((await install('')).stdout).toContain(`kept      /${UNIT}\n`);
  });

  it.each<[string, string, string[], number, RegExp]>([
    ['no URL of a control plane', `${TOKEN}\n`, [], 1, /expected the option --control-url/],
    [
      'a URL without /v1',
      `${TOKEN}\n`,
      ['--control-url', 'https://x.example'],
      78,
      /must be the URL of the API/,
    ],
    ['plain http', `${TOKEN}\n`, ['--control-url', 'http://x.example/v1'], 78, /must be https/],
    [
      'a second line in the URL',
      `${TOKEN}\n`,
      ['--control-url', 'https://x.example/\nA=/v1'],
      78,
      /--control-url/,
    ],
    [
      'an invalid name',
      `${TOKEN}\n`,
      ['--control-url', CONTROL_URL, '--name', 'a\nB=1'],
      78,
      /UNDERSTUDY_AGENT_NAME/,
    ],
    ['no token', '', ['--control-url', CONTROL_URL], 1, /us_enrol_ and 43 characters, but received nothing/],
    [
      'another token',
      'us_live_abc\n',
      ['--control-url', CONTROL_URL],
      1,
      /received 11 characters of another form/,
    ],
    ['an endless token', 'x'.repeat(1 << 20), ['--control-url', CONTROL_URL], 1, /received 4096 characters/],
    [
      'a missing CA file',
      `${TOKEN}\n`,
      ['--control-url', CONTROL_URL, '--ca-file', '/none'],
      78,
      /--ca-file cannot be read/,
    ],
    [
      'a CA file without a certificate',
      `${TOKEN}\n`,
      ['--control-url', CONTROL_URL, '--ca-file', '/etc/passwd'],
      78,
      /contains no certificate/,
    ],
  ])('changes nothing and names the cause if it gets %s', async (_title, input, options, code, message) => {
    const before = root.list();
    const result = await install(input, ...options);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(result.stderr).not.toContain(input.trim() || TOKEN);
    expect(root.list()).toEqual(before);
    expect(root.read('etc/passwd')).not.toContain('understudy');
  });

  it.each(['etc/understudy-agent', 'var/lib/understudy-agent', 'etc/systemd'])(
    'can be installed again after an installation that was interrupted by a file at %s',
    async (path) => {
      mkdirSync(root.path(`${path}/..`), { recursive: true });
      writeFileSync(root.path(path), '');
      const interrupted = await installNew();
      expect(interrupted.code).not.toBe(0);
      expect(interrupted.stderr).not.toContain(TOKEN);
      rmSync(root.path(path));
      mkdirSync(root.path('etc/understudy-agent'), { recursive: true });
      writeFileSync(root.path('etc/understudy-agent/.understudy-draft-0123456789abcdef'), TOKEN);
      expect(await installNew()).toMatchObject({ code: 0, stderr: '' });
      const repeated = root.list();
      root.remove();
      root = new TestRoot();
      await installNew();
      expect(repeated).toEqual(root.list());
    },
  );

  it('is uninstalled except for the folders that the command names, which only root can read', async () => {
    const before = root.list();
    await installNew();
    const { uid } = root.ids('understudy-agent');
    writeFileSync(root.path('var/lib/understudy-agent/identity.json'), '{"agentId":"agt_1"}', {
      mode: 0o600,
    });
    lchownSync(root.path('var/lib/understudy-agent/identity.json'), uid, uid);
    const { code, stdout } = await uninstall('--json');
    expect(code).toBe(0);
    const { removed, left } = JSON.parse(stdout) as { removed: string[]; left: string[] };
    expect(removed).toEqual([`/${UNIT}`, 'user understudy-agent']);
    const isNamed = (path: string) => left.some((folder) => `/${path}`.startsWith(folder));
    const remains = root.list().filter((path) => !isNamed(path) && !before.includes(path));
    // Only folders of the system, which every Linux has.
    expect(remains).toEqual(['etc/systemd', 'etc/systemd/system', 'var', 'var/lib']);
    for (const folder of left) expect(root.access(folder)).toBe('0:0 700');
    expect(root.read('etc/passwd') + root.read('etc/group')).not.toContain('understudy');
    expect(await uninstall()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('removed') });
  });

  it('gets its state back if it is installed again after it was uninstalled, and reads no token', async () => {
    await installNew();
    await uninstall();
    writeFileSync(root.path('etc/passwd'), `${root.read('etc/passwd')}other:x:998:998::/:/bin/sh\n`);
    rmSync(root.path('etc/understudy-agent/enrolment-token'));
    const state = 'var/lib/understudy-agent/identity.json';
    writeFileSync(root.path(state), JSON.stringify(identity()), { mode: 0o600 });
    symlinkSync('/etc/passwd', root.path('var/lib/understudy-agent/link'));
    const owner = statSync('/etc/passwd').uid;
    expect(await install('')).toMatchObject({ code: 0, stderr: '' });
    const { uid, gid } = root.ids('understudy-agent');
    expect(root.access(state)).toBe(`${uid}:${gid} 600`);
    expect(statSync('/etc/passwd').uid).toBe(owner);
  });
});

describeUnless(notRoot)('the service of a control plane, installed by root', () => {
  const installControlPlane = () => run('control-plane', ['service', 'install', '--root', root.folder]);

  it('needs the configuration that init writes', async () => {
    expect(await installControlPlane()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"understudy-control-plane init --folder /etc/understudy" first'),
    });
    expect(root.read('etc/passwd')).not.toContain('understudy');
  });

  it('gives its group access to the configuration, and does not follow links', async () => {
    mkdirSync(root.path('etc/understudy/secrets'), { recursive: true, mode: 0o700 });
    const target = root.path('target');
    for (const path of [
      target,
      root.path('etc/understudy/control-plane.env'),
      root.path('etc/understudy/secrets/key'),
    ])
      writeFileSync(path, 'A=1\n', { mode: 0o600 });
    symlinkSync(target, root.path('etc/understudy/secrets/link'));
    expect(await installControlPlane()).toMatchObject({ code: 0, stderr: '' });
    const { gid } = root.ids('understudy');
    expect(root.access('etc/understudy')).toBe(`0:${gid} 750`);
    expect(root.access('etc/understudy/control-plane.env')).toBe(`0:${gid} 640`);
    expect(root.access('etc/understudy/secrets')).toBe(`0:${gid} 750`);
    expect(root.access('etc/understudy/secrets/key')).toBe(`0:${gid} 640`);
    expect(root.access('target')).toBe('0:0 600');
    const uninstalled = await run('control-plane', ['service', 'uninstall', '--root', root.folder]);
    expect(uninstalled.stdout).toContain('left      /etc/understudy\n');
    expect(root.access('etc/understudy')).toBe('0:0 700');
  });
});

describe('an installation by an ordinary user', () => {
  it.each([
    ['agent', 'install'],
    ['agent', 'uninstall'],
    ['control-plane', 'install'],
    ['control-plane', 'uninstall'],
  ] as const)('fails with a sentence and changes nothing (%s, %s)', async (app, verb) => {
    const before = root.list();
    const result = await runAsOrdinaryUser(app, ['service', verb, '--root', root.folder]);
    expect(result).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('expected to run as root'),
    });
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(root.list()).toEqual(before);
  });
});
