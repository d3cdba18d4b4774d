import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cachedIn } from '../src/test-inputs/project-graph.js';

export const ROOT = join(import.meta.dirname, '../../..');

/** Nothing changes during the tests, so Nx reads all files only once. */
export const cache = mkdtempSync(join(tmpdir(), 'understudy-nx-'));
afterAll(() => {
  rmSync(cache, { recursive: true });
});

/** Returns the projects whose tests Nx runs after a change of the file, without their scope. */
export function affectedBy(file: string): string[] {
  const args = ['show', 'projects', '--affected', '--with-target=test', '--json', `--files=${file}`];
  const stdout = execFileSync(join(ROOT, 'node_modules/.bin/nx'), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...cachedIn(cache) },
  });
  return (JSON.parse(stdout) as string[]).map((name) => name.replace('@understudy/', '')).sort();
}

/** Returns the names of the projects that Jest runs. */
export function testedProjects(): string[] {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--showConfig'];
  const config = execFileSync(process.execPath, jest, { cwd: ROOT, encoding: 'utf8' });
  const { configs } = JSON.parse(config) as { configs: { displayName: { name: string } }[] };
  return configs.map(({ displayName }) => displayName.name).filter((name) => name !== 'quickstart');
}
