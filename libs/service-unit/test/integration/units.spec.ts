import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';

import { unitText } from '../../src/unit-text.js';
import { run, runCommand } from './installation.js';

/** The highest permitted exposure, in tenths. docs/adr/0075-harden-the-systemd-units.md explains what remains. */
const THRESHOLD = 11;

describeWith('the unit that a program prints', 'systemd', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-units-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const printed = async (app: 'agent' | 'control-plane'): Promise<string> => {
    const { stdout } = await run(app, ['service', 'install', '--print']);
    const path = join(folder, `understudy-${app}.service`);
    writeFileSync(path, stdout);
    return path;
  };

  it.each(['agent', 'control-plane'] as const)('is valid for systemd (%s)', async (app) => {
    const verified = await runCommand('systemd-analyze', ['verify', '--man=no', await printed(app)]);
    // Unknown settings are only reported.
    expect(verified).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['agent', 'control-plane'] as const)('exposes little to the service (%s)', async (app) => {
    const path = await printed(app);
    const security = (tenths: number) =>
      runCommand('systemd-analyze', [
        ...['security', '--no-pager', '--offline=true', `--threshold=${tenths}`],
        path,
      ]);
    expect(await security(THRESHOLD)).toMatchObject({ code: 0, stdout: expect.stringMatching(/level .*OK/) });
    // The tool reports a higher exposure in this form, so the threshold has an effect.
    expect((await security(THRESHOLD - 1)).code).toBe(1);
  });

  it('can start a program whose path contains a space or any letter, and no other special character', async () => {
    const service = {
      ...{
        name: 'odd',
        description: 'Odd',
        user: 'root',
        configFolder: '/etc/odd',
        variablesFile: 'odd.env',
      },
      ...{ startsAfter: [], preparations: [], configurationExitCode: 78, settings: [] },
    };
    const node = join(folder, 'my nödé 節点');
    writeFileSync(node, '#!/bin/sh\n');
    chmodSync(node, 0o755);
    const path = join(folder, 'odd.service');
    writeFileSync(path, unitText(service, { node, script: '/opt/ödd script.js' }));
    const verify = () => runCommand('systemd-analyze', ['verify', '--man=no', path]);
    expect(await verify()).toEqual({ code: 0, stdout: '', stderr: '' });
    rmSync(node);
    expect((await verify()).stderr).toContain(`${node} is not executable`);
    for (const script of ['/opt/100%', '/opt/$HOME', '/opt/a"b', '/opt/a\\b', '/opt/a\nExecStart=/bin/sh'])
      expect(() => unitText(service, { node, script })).toThrow('move the program');
  });
});
