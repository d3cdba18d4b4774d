import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Ecosystem, Registry } from './registry.js';
import { run } from './registry.js';
import { ROOT } from './sources.js';

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly shasum: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the client in TypeScript with npm, and serves it as the npm registry does. */
export const npm: Ecosystem = { language: 'typescript', publish };

async function publish(folder: string): Promise<Registry> {
  const client = join(ROOT, 'clients/typescript');
  const settings = { npm_config_cache: join(folder, 'cache'), npm_config_ignore_scripts: 'true' };
  mkdirSync(join(folder, 'packed'));
  const packed = await run(
    'npm',
    ['pack', client, '--json', '--pack-destination', join(folder, 'packed')],
    folder,
    settings,
  );
  const [result] = JSON.parse(packed) as [Packed];
  const file = join(folder, 'packed', result.filename);
  const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')) as object;

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    if (path === `/${result.name}`) response.end(JSON.stringify(packument(url, manifest, result)));
    else if (path === `/${result.filename}`) response.end(readFileSync(file));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    archives: [{ file, entries: result.files.map(({ path }) => path) }],
    version: result.version,
    settings: {
      ...settings,
      npm_config_registry: url,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Builds the document with which the registry describes a package of one version. */
function packument(url: string, manifest: object, { name, version, filename, shasum, integrity }: Packed) {
  const dist = { tarball: `${url}/${filename}`, shasum, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
