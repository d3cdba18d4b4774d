import { join } from 'node:path';
import type { ServiceBinaries } from '../binaries/service-binaries.js';
import { startNats } from '../services/nats.js';
import { postgresUser, startPostgres } from '../services/postgres.js';
import { probeNats, probePostgres, probeRedis } from '../services/probes.js';
import { reachableFolder } from '../services/reachable-folder.js';
import { startRedis } from '../services/redis.js';
import { makeControlDatabase, makeDatabasesRole } from './database-roles.js';
import type { KeptProcesses } from './kept-processes.js';
import type { Environment } from './programs.js';
import type { ExternalServices, SystemOptions } from './system-options.js';

/** The running services, and the variables with which the control plane uses them. */
export interface Services {
  /** URL of the server for source and target databases, without a database name. */
  readonly databasesUrl: string;
  /** The same with a superuser. */
  readonly databasesAdminUrl: string;
  readonly controlDatabaseUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly variables: Environment;
  readonly binaries: ServiceBinaries;
}

/** Starts PostgreSQL, Redis and NATS, except external ones, and creates the database of the control plane. */
export async function startServices(
  processes: KeptProcesses,
  { external = {}, findServices, folder }: SystemOptions,
): Promise<Services> {
  const needed = (['postgres', 'redis', 'nats'] as const).filter((name) => !isExternal(external, name));
  // pg_dump is part of the server's packages. The agent needs it, even if PostgreSQL is an external service.
  const binaries = await findServices([...new Set([...needed, 'postgres' as const])]);
  const { secrets } = processes.state;

  const { adminUrl: databasesAdminUrl, controlDatabaseUrl: given } = external.postgres ?? {
    adminUrl: await postgres(processes, binaries, folder),
  };
  // Without the control plane's database, the user may create roles.
  const databasesUrl =
    given === undefined
      ? await makeDatabasesRole(databasesAdminUrl, secrets.databasesPassword)
      : databasesAdminUrl;
  processes.state.databasesUrl = databasesUrl;
  const redisUrl = external.redisUrl ?? (await redis(processes, binaries));
  const natsUrl = external.nats?.url ?? (await nats(processes, binaries));
  // An interrupted first start may have created an organisation whose token is lost. The server of a user is not changed.
  const isNew = external.postgres === undefined && processes.state.organization === undefined;
  const controlDatabaseUrl =
    given ?? (await makeControlDatabase(databasesAdminUrl, secrets.controlDatabasePassword, isNew));
  const seeds = external.nats?.seeds ?? secrets.nats;
  const variables = {
    UNDERSTUDY_DATABASE_URL: controlDatabaseUrl,
    UNDERSTUDY_REDIS_URL: redisUrl,
    UNDERSTUDY_NATS_URL: natsUrl,
    UNDERSTUDY_NATS_OPERATOR_SEED: seeds.operator,
    UNDERSTUDY_NATS_ACCOUNT_SEED: seeds.account,
    UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: seeds.agentAccount,
    UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: seeds.systemAccount,
  };
  return { databasesUrl, databasesAdminUrl, controlDatabaseUrl, redisUrl, natsUrl, variables, binaries };
}

function postgres(processes: KeptProcesses, binaries: ServiceBinaries, folder: string): Promise<string> {
  return processes.keep(
    'postgres',
    (url) => probePostgres(`${url}/postgres`),
    () => {
      const wanted = join(folder, 'postgres');
      const reachable = reachableFolder(wanted, postgresUser());
      if (reachable !== wanted)
        processes.log(
          `PostgreSQL runs as another user, who may not enter ${folder}; its data is in ${reachable}`,
        );
      return startPostgres({
        ...processes.serviceSettings('postgres'),
        dataFolder: join(reachable, 'data'),
        binaries: binaries.postgres,
        password: processes.state.secrets.postgresPassword,
        durable: true,
      });
    },
  );
}

function redis(processes: KeptProcesses, binaries: ServiceBinaries): Promise<string> {
  const password = processes.state.secrets.redisPassword;
  return processes.keep('redis', probeRedis, () =>
    startRedis({ ...processes.serviceSettings('redis'), binary: binaries.redis, password, durable: true }),
  );
}

function nats(processes: KeptProcesses, binaries: ServiceBinaries): Promise<string> {
  const seeds = processes.state.secrets.nats;
  return processes.keep('nats', probeNats, () =>
    startNats({ ...processes.serviceSettings('nats'), binary: binaries.nats, seeds }),
  );
}

function isExternal(external: ExternalServices, name: 'postgres' | 'redis' | 'nats'): boolean {
  return { postgres: external.postgres, redis: external.redisUrl, nats: external.nats }[name] !== undefined;
}
