import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { braceExpand, minimatch } from 'minimatch';

/** The largest size of ARCHITECTURE.md, so that it stays one page. */
const MAX_BYTES = 14_000;
/** The largest number of rows of the table that names the file to edit first. */
const MAX_TASKS = 25;

const SHORT_PATHS: Readonly<Record<string, string>> = {
  cp: 'apps/control-plane/src',
  agent: 'apps/agent/src',
  cli: 'apps/cli/src',
  engine: 'libs/sync-engine/src',
};
const PATH = /`((?:cp|agent|cli|engine|apps|libs|tools|clients|docs|proto|deploy|models)\/[^`]*)`/g;

/**
 * Checks that each path in ARCHITECTURE.md exists, and that the page is short.
 * @returns the numbers of paths and bytes
 * @throws Error with one line for each fault
 */
export async function architectureHolds(root: string): Promise<string> {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const paths = [...page.matchAll(PATH)].flatMap(([, path = '']) => braceExpand(path));
  const tasks =
    page.split('\n## Which file to edit first\n')[1]?.match(/^\| (?!to add or change|---)/gm) ?? [];
  const bytes = Buffer.byteLength(page);
  const faults = paths.filter((path) => !exists(root, path)).map((path) => `there is no file ${path}`);
  if (bytes > MAX_BYTES) faults.push(`the page has ${bytes} bytes; at most ${MAX_BYTES}`);
  if (tasks.length === 0 || tasks.length > MAX_TASKS)
    faults.push(`"Which file to edit first" has ${tasks.length} rows; 1 to ${MAX_TASKS}`);
  if (faults.length > 0) throw new Error(faults.map((fault) => `ARCHITECTURE.md: ${fault}`).join('\n'));
  return `${paths.length} paths, ${tasks.length} tasks, ${bytes} bytes`;
}

/** Finds a file or folder by its path, in which `<noun>` and `…` match any name. */
function exists(root: string, path: string): boolean {
  const [first = '', ...rest] = path.split('/');
  const full = [SHORT_PATHS[first] ?? first, ...rest].join('/').replace(/\/$/, '');
  const pattern = full.replaceAll(/<[^>]*>|…/g, '*');
  if (pattern === full) return existsSync(join(root, full));
  const folder = pattern.slice(0, pattern.slice(0, pattern.indexOf('*')).lastIndexOf('/'));
  return (
    existsSync(join(root, folder)) &&
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).some((each) =>
      minimatch(`${folder}/${each}`, pattern),
    )
  );
}
