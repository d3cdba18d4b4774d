import {
  findBinaries,
  findPgcopydb,
  isRoot,
  LocalSystemError,
  packageCache,
  type PackagedName,
  type ServerBinary,
  type ServiceBinaries,
  type ServiceName,
  SERVICE_PROGRAMS,
} from '@understudy/local-system';
import { isDebian } from './debian-packages.js';
import { downloadPackages } from './download-packages.js';
import { installPackages } from './install-packages.js';
import { withInstallLock } from './install-lock.js';

export interface EnsureOptions {
  readonly log?: (line: string) => void;
  /** The services that are needed. Default: all. */
  readonly services?: readonly ServiceName[];
}

/**
 * Finds the programs of the services. On Debian and its derivatives, installs missing programs: with apt if
 * this process runs as root, otherwise by unpacking the packages into a cache folder.
 * @throws LocalSystemError that lists what to install
 */
export async function ensureBinaries({
  log = () => undefined,
  services = ['postgres', 'redis', 'nats'],
}: EnsureOptions = {}): Promise<ServiceBinaries> {
  let found = findBinaries();
  if (missing(found, services).length > 0 && isDebian()) {
    found = await withInstallLock(log, async () => {
      const wanted = missing(findBinaries(), services); // another process may have installed them while this one waited
      if (wanted.length > 0) await provision(wanted, log);
      return findBinaries();
    });
  }
  const lacking = missing(found, services);
  if (lacking.length > 0) throw notFound(lacking);
  return found as ServiceBinaries; // services that were not requested may be absent; the caller does not use them
}

/**
 * Finds or installs pgcopydb, with which a benchmark compares sync jobs.
 * @returns undefined if it cannot be installed
 */
export async function ensurePgcopydb(log: (line: string) => void): Promise<ServerBinary | undefined> {
  const found = findPgcopydb();
  if (found !== undefined || !isDebian()) return found;
  try {
    await withInstallLock(log, () => provision(['pgcopydb'], log));
  } catch (error) {
    log(`pgcopydb is not available: ${error instanceof Error ? error.message : String(error)}`);
  }
  return findPgcopydb();
}

async function provision(services: readonly PackagedName[], log: (line: string) => void): Promise<void> {
  const startedAt = performance.now();
  const what = services.join(', ');
  if (isRoot() && process.env['UNDERSTUDY_STACK_IGNORE_SYSTEM'] !== '1') {
    log(
      `installing ${what} with apt-get because this machine has none (their system services are not started)`,
    );
    await installPackages(services);
  } else {
    log(`downloading ${what} with apt-get into ${packageCache()} because this machine has none`);
    for (const service of services) await downloadPackages(service);
  }
  log(`${what} installed (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

function missing(found: Partial<ServiceBinaries>, services: readonly ServiceName[]): ServiceName[] {
  return services.filter((service) => found[service] === undefined);
}

function notFound(services: readonly ServiceName[]): LocalSystemError {
  const list = services.map((service) => `  - ${SERVICE_PROGRAMS[service].description}`).join('\n');
  return new LocalSystemError(
    'binaries.missing',
    `These programs are missing on this machine:\n${list}`,
    `install them and put them on PATH.
  macOS:  brew install postgresql@15 redis nats-server
  Debian: sudo apt-get install postgresql-15 redis-server nats-server
Or run your own services, for example those of docker-compose.yml. In that case, set UNDERSTUDY_DATABASE_URL,
UNDERSTUDY_REDIS_URL and UNDERSTUDY_NATS_URL`,
  );
}
