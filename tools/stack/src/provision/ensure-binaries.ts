import { isRoot } from '../processes/system-user.js';
import { StackError } from '../stack-error.js';
import { isDebian } from './debian-packages.js';
import { downloadPackages } from './download-packages.js';
import { findBinaries, findPgcopydb } from './find-binaries.js';
import { installPackages } from './install-packages.js';
import { withInstallLock } from './install-lock.js';
import type { PackagedName, ServerBinary, ServiceBinaries, ServiceName } from './service-binaries.js';
import { packageCache } from './unpacked-packages.js';

export interface EnsureOptions {
  readonly say?: (line: string) => void;
  /** Which must be there. Default: all. */
  readonly services?: readonly ServiceName[];
}

const NAMES: Record<ServiceName, string> = {
  postgres: 'PostgreSQL 14 or newer (postgres, initdb, psql, pg_dump, pg_restore in one folder)',
  redis: 'redis-server 6 or newer',
  nats: 'nats-server 2.9 or newer',
};

/**
 * Finds the services' programs; on Debian and its kin gets what is missing: root installs the packages, anybody else
 * unpacks them into a cache folder.
 * @throws StackError that says what to install
 */
export async function ensureBinaries({
  say = () => undefined,
  services = ['postgres', 'redis', 'nats'],
}: EnsureOptions = {}): Promise<ServiceBinaries> {
  let found = findBinaries();
  if (missing(found, services).length > 0 && isDebian()) {
    found = await withInstallLock(say, async () => {
      const wanted = missing(findBinaries(), services); // another process may have got them while we waited
      if (wanted.length > 0) await provision(wanted, say);
      return findBinaries();
    });
  }
  const lacking = missing(found, services);
  if (lacking.length > 0) throw notFound(lacking);
  return found as ServiceBinaries; // what was not asked for may be absent, and is not looked at
}

/** The peer of a benchmark: had like the services, and done without where it cannot be had. */
export async function ensurePgcopydb(say: (line: string) => void): Promise<ServerBinary | undefined> {
  const found = findPgcopydb();
  if (found !== undefined || !isDebian()) return found;
  try {
    await withInstallLock(say, () => provision(['pgcopydb'], say));
  } catch (error) {
    say(`no pgcopydb: ${error instanceof Error ? error.message : String(error)}`);
  }
  return findPgcopydb();
}

async function provision(services: readonly PackagedName[], say: (line: string) => void): Promise<void> {
  const startedAt = performance.now();
  const what = services.join(', ');
  if (isRoot() && process.env['UNDERSTUDY_STACK_IGNORE_SYSTEM'] !== '1') {
    say(`installing ${what} with apt-get: this machine has none (their system services are not started)`);
    await installPackages(services);
  } else {
    say(`downloading ${what} with apt-get into ${packageCache()}: this machine has none`);
    for (const service of services) await downloadPackages(service);
  }
  say(`${what} is there (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

function missing(found: Partial<ServiceBinaries>, services: readonly ServiceName[]): ServiceName[] {
  return services.filter((service) => found[service] === undefined);
}

function notFound(services: readonly ServiceName[]): StackError {
  const list = services.map((service) => `  - ${NAMES[service]}`).join('\n');
  return new StackError(
    'binaries.missing',
    `This machine has not:\n${list}`,
    `install them and put them on PATH
  macOS:  brew install postgresql@15 redis nats-server
  Debian: sudo apt-get install postgresql-15 redis-server nats-server
or run services of your own, for example those of docker-compose.yml, and name them in UNDERSTUDY_DATABASE_URL,
UNDERSTUDY_REDIS_URL and UNDERSTUDY_NATS_URL`,
  );
}
