import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Ecosystem, Registry } from './registry.js';
import { ROOT, sourcesOf } from './sources.js';
import { zip } from './zip.js';

/**
 * Packs the client in Go as the module proxy does, and stores it in the layout of the proxy's protocol
 * (go.dev/ref/mod#goproxy-protocol), from which `go` installs it.
 */
export const goModules: Ecosystem = { language: 'go', toolchain: 'go', publish };

async function publish(folder: string): Promise<Registry> {
  const client = join(ROOT, 'clients/go');
  const manifest = readFileSync(join(client, 'go.mod'), 'utf8');
  const module = /^module (\S+)$/m.exec(manifest)?.[1] ?? '';
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const entries = sourcesOf('go');
  const versions = join(folder, 'proxy', module, '@v');
  const file = join(versions, `v${version}.zip`);
  mkdirSync(versions, { recursive: true });
  writeFileSync(join(versions, 'list'), `v${version}\n`);
  writeFileSync(join(versions, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
  writeFileSync(join(versions, `v${version}.mod`), manifest);
  const named = (name: string) => `${module}@v${version}/${name}`;
  writeFileSync(
    file,
    zip(entries.map((name) => ({ name: named(name), content: readFileSync(join(client, name)) }))),
  );
  return {
    archives: [{ file, entries }],
    version,
    settings: {
      GOPROXY: `file://${join(folder, 'proxy')}`,
      GOSUMDB: 'off',
      GOMODCACHE: join(folder, 'modules'),
      // "modcacherw" makes the folder removable, and "w" links in half the time.
      GOFLAGS: '-mod=mod -modcacherw -ldflags=-w',
      GOTOOLCHAIN: 'local',
      CGO_ENABLED: '0',
    },
    stop: () => undefined,
  };
}
