import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Ecosystem, Registry } from './registry.js';
import { run } from './registry.js';
import { copySources, ROOT } from './sources.js';

/** Packs the client in PHP as GitHub would for Packagist, and describes it in a repository of Composer. */
export const packagist: Ecosystem = { language: 'php', toolchain: 'php-client', publish };

async function publish(folder: string): Promise<Registry> {
  const [source, home, repository] = ['source', 'home', 'repository'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, repository]) mkdirSync(path);
  const settings = {
    COMPOSER_HOME: home,
    COMPOSER_CACHE_DIR: join(folder, 'cache'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_NO_INTERACTION: '1',
  };
  copySources('php', source);
  const manifest = JSON.parse(readFileSync(join(source, 'composer.json'), 'utf8')) as { name: string };
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const options = ['--format=tar', `--dir=${repository}`, '--file=client'];
  // Composer has no package of the type "tar" without a version, which a tag gives to the real repository.
  await run('composer', ['archive', ...options], source, { ...settings, COMPOSER_ROOT_VERSION: version });
  const file = join(repository, 'client.tar');
  const dist = { type: 'tar', url: file };
  const packages = { [manifest.name]: { [version]: { ...manifest, version, dist } } };
  writeFileSync(join(repository, 'packages.json'), JSON.stringify({ packages }));
  const repositories = {
    understudy: { type: 'composer', url: `file://${repository}` },
    'packagist.org': false,
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ repositories }));
  const entries = (await run('tar', ['-tf', file], folder)).split('\n').filter((name) => /[^/]$/.test(name));
  return { archives: [{ file, entries }], version, settings, stop: () => undefined };
}
