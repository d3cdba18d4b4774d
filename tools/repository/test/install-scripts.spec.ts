import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

describe('the npm configuration of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-install-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Installs a package whose install script creates the file `ran`. Returns whether the script ran. */
  async function scriptRuns(name: string, ...options: string[]): Promise<boolean> {
    const project = join(folder, name);
    mkdirSync(join(project, 'package'), { recursive: true });
    const ran = join(project, 'ran');
    const json = (path: string, content: object) =>
      writeFileSync(join(project, path), JSON.stringify(content));
    json('package/package.json', {
      name: 'dep',
      version: '1.0.0',
      scripts: { postinstall: `touch '${ran}'` },
    });
    json('package.json', { name: 'app', version: '1.0.0' });
    copyFileSync(join(root, '.npmrc'), join(project, '.npmrc'));
    const npm = (args: string[], cwd: string) => run('npm', [...args, '--offline', '--no-audit'], { cwd });
    await npm(['pack', './package'], project);
    await npm(['install', ...options, './dep-1.0.0.tgz'], project);
    expect(existsSync(join(project, 'node_modules/dep/package.json'))).toBe(true);
    return existsSync(ran);
  }

  it('runs no install script of a package', async () => {
    expect(await scriptRuns('as-configured')).toBe(false);
    // With another configuration, npm runs the script of the same package. This shows that the assertion
    // above can fail.
    const npm = Number((await run('npm', ['--version'])).stdout.split('.')[0]);
    const allowed =
      npm > 10 ? ['--ignore-scripts=false', '--dangerously-allow-all-scripts'] : ['--ignore-scripts=false'];
    expect(await scriptRuns('allowed', ...allowed)).toBe(true);
  });
});

describe('the compiler', () => {
  it('that npx starts is the one that builds, because each version would build everything again', () => {
    expect(realpathSync(join(root, 'node_modules/.bin/tsc'))).toBe(
      realpathSync(join(root, 'node_modules/@typescript/native/bin/tsc')),
    );
  });
});
