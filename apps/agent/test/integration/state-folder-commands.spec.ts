import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLI = join(import.meta.dirname, '../../dist/bundle/cli.js');

describe('a command of the agent with an unusable state folder', () => {
  let folder: string;
  let stateDir: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-agent-commands-'));
    stateDir = join(folder, 'state');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const fails = (...args: string[]): Promise<unknown> =>
    promisify(execFile)(process.execPath, [CLI, ...args], {
      env: { PATH: process.env['PATH'], UNDERSTUDY_AGENT_STATE_DIR: stateDir },
    }).then(
      () => 'succeeded',
      (error: unknown) => error,
    );

  it('names a folder without a journal and does not create the folder', async () => {
    expect(await fails('egress')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('the folder has no journal'),
    });
    expect(existsSync(stateDir)).toBe(false);
  });

  it.each([['egress'], ['status'], ['cancel', 'job_1']])(
    'names a file in its place (%s)',
    async (...args) => {
      writeFileSync(stateDir, '');
      expect(await fails(...args)).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(
          /UNDERSTUDY_AGENT_STATE_DIR: .* has a file in its path.* \(ENOTDIR\)\n$/,
        ),
      });
    },
  );
});
