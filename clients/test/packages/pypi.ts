import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Archive, Ecosystem, Registry } from './registry.js';
import { run } from './registry.js';
import { copySources } from './sources.js';

/** Debian's own Python, because only this one has Debian's packages. */
export const PYTHON = '/usr/bin/python3';
const BUILD_SDIST =
  'import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))';
const LIST_WHEEL = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';

/** Builds the source archive of the client in Python, and the wheel from it. pip installs from their folder. */
export const pypi: Ecosystem = { language: 'python', toolchain: 'python-client', publish };

async function publish(folder: string): Promise<Registry> {
  const [source, dist] = [join(folder, 'source'), join(folder, 'dist')];
  copySources('python', source);
  mkdirSync(dist);
  await run(PYTHON, ['-c', BUILD_SDIST, dist], source);
  const sdist = onlyFile(dist, '.tar.gz');
  const pip = ['-m', 'pip', 'wheel', '--no-build-isolation', '--no-deps', '--no-index'];
  await run(PYTHON, [...pip, '--wheel-dir', dist, sdist], folder);
  const wheel = onlyFile(dist, '.whl');
  return {
    archives: [await listed(wheel, [PYTHON, '-c', LIST_WHEEL]), await listed(sdist, ['tar', '-tzf'])],
    version: /-(\d+\.\d+\.\d+)-/.exec(wheel)?.[1] ?? '',
    settings: {
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: pathToFileURL(dist).href, // pip splits a path at spaces
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_NO_BUILD_ISOLATION: '0', // "0" turns the isolation off
    },
    stop: () => undefined,
  };
}

function onlyFile(folder: string, ending: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  expect(names).toHaveLength(1);
  return join(folder, ...names);
}

async function listed(file: string, [program, ...args]: readonly [string, ...string[]]): Promise<Archive> {
  const names = (await run(program, [...args, file], '/')).split('\n').filter((name) => /[^/]$/.test(name));
  const isSdist = file.endsWith('.tar.gz');
  return { file, entries: names.map((name) => (isSdist ? name.replace(/^[^/]*\//, '') : name)) };
}
