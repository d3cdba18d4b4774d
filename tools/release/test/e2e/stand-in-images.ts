import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { provideNode } from '../../src/verify/node-versions.js';
import type { ContainerEngine } from './container-engine.js';
import { makeDebianRoot, makeNodeLayer } from './debian-root.js';

const DEBIAN = 'localhost/stand-in:debian';
export const NODE_IMAGE = 'docker.io/library/node:24-bookworm-slim';

/** Entry point of PostgreSQL's image, as far as docker-compose.yml uses it. */
const POSTGRES_ENTRY = `#!/bin/bash
set -eu
[ "$1" = postgres ] || exec "$@"
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  chmod 0700 "$data"
  initdb --username="$POSTGRES_USER" --pwfile=<(echo "$POSTGRES_PASSWORD") --pgdata="$data"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  pg_ctl --pgdata="$data" --options="-c listen_addresses=''" --wait start
  for file in /docker-entrypoint-initdb.d/*.sh; do
    if [ -x "$file" ]; then "$file"; else . "$file"; fi
  done
  pg_ctl --pgdata="$data" --mode=fast --wait stop
fi
exec postgres -D "$data" -c 'listen_addresses=*'
`;

/** Answers the health check of NATS, whose image has the wget of BusyBox. */
const WGET = '#!/bin/sh\nexec curl --fail --silent "$2"\n';

/** The folders, owners and commands of the official images that docker-compose.yml relies on. */
const IMAGES: Readonly<Record<string, readonly string[]>> = {
  'docker.io/library/postgres:15': [
    'COPY --chown=postgres:postgres empty /var/lib/postgresql/data',
    'VOLUME /var/lib/postgresql/data',
    'STOPSIGNAL SIGINT',
    'COPY --chmod=0755 postgres-entry /usr/local/bin/docker-entrypoint.sh',
    'ENTRYPOINT ["docker-entrypoint.sh"]',
    'CMD ["postgres"]',
  ],
  'docker.io/library/redis:7': ['COPY --chown=redis:redis empty /data', 'VOLUME /data', 'WORKDIR /data'],
  'docker.io/library/nats:2-alpine': ['COPY --chmod=0755 wget /usr/local/bin/wget', 'CMD ["nats-server"]'],
  [NODE_IMAGE]: ['CMD ["node"]'],
};

/**
 * Makes images with the names that docker-compose.yml and the Dockerfiles use: PostgreSQL, Redis and NATS from Debian's
 * packages, and Node.js from npm's.
 * @param folder an empty folder for the files of the build
 * @param cache a folder for Node.js that is kept between runs
 */
export async function makeStandInImages(
  engine: ContainerEngine,
  folder: string,
  cache: string,
): Promise<void> {
  const [root, context] = [join(folder, 'root'), join(folder, 'context')];
  mkdirSync(join(context, 'empty'), { recursive: true });
  writeFileSync(join(context, 'postgres-entry'), POSTGRES_ENTRY);
  writeFileSync(join(context, 'wget'), WGET);
  const [node] = await Promise.all([provideNode('24', cache), makeDebianRoot(root)]);
  makeNodeLayer(root, join(node.binFolder, 'node'));
  const archive = join(folder, 'root.tar');
  await engine.run('tar', '--directory', root, '--exclude=./dev/*', '--create', '--file', archive, '.');
  await engine.podman('import', '--quiet', archive, DEBIAN);
  for (const [image, lines] of Object.entries(IMAGES)) {
    const file = join(context, 'Dockerfile');
    const path = 'ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    writeFileSync(file, [`FROM ${DEBIAN}`, path, ...lines, ''].join('\n'));
    await engine.podman('build', '--quiet', '--pull-never', '--format', 'docker', '--tag', image, context);
  }
}
