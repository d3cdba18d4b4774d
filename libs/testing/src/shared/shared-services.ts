import { startTestServices, type TestServices } from '../test-services.js';
import { protectTemplate, removeWhatIsLeft } from './shared-postgres.js';
import { emptyRedis, settingsOfRedis } from './shared-redis.js';
import { endPerWorker, perWorker } from './per-worker.js';

/** Services that a suite shares with others. It cannot kill them, and has no access to their files. */
export type SharedTestServices = Omit<TestServices, 'pids' | 'folder' | 'crashPostgres'>;

/** A service of the worker, which later suites use, too. */
interface SharedService {
  readonly url: string;
  /** Removes what a suite left. @throws Error if the service cannot be used again */
  clean(): Promise<void>;
  stop(): Promise<void>;
  /** The number of suites that have used the service. */
  uses: number;
  /** Whether a suite has used the service and not yet removed what it left. */
  isUsed: boolean;
}

/** A Redis has this number of databases by default. */
const REDIS_DATABASES = 16;

/** Whether this suite uses the services. Jest runs this file again for each suite. */
let isTaken = false;

/**
 * Returns PostgreSQL and Redis of this Jest worker, and a NATS server of this suite, which costs no more than new
 * accounts on a shared one. Call this in `beforeAll`, and `stop()` in `afterAll` instead of dropping databases and roles.
 *
 * `stop()` ends all sessions and removes databases, roles and replication slots, so that no suite sees another. It
 * throws an error if the suite changed anything else that belongs to the whole server, such as a setting.
 * A suite that stops, fills or configures a server uses `startTestServices` instead.
 */
export async function sharedTestServices(
  which: { postgres?: boolean; redis?: boolean; nats?: boolean } = {
    postgres: true,
    redis: true,
    nats: true,
  },
): Promise<SharedTestServices> {
  if (isTaken) throw new Error('expected a suite to stop its shared services before it takes them again');
  isTaken = true;
  const postgres = which.postgres ? await take('postgres') : undefined;
  const redis = which.redis ? await take('redis') : undefined;
  const own = await startTestServices({ nats: which.nats ?? false });
  return {
    postgresUrl: postgres?.url ?? '',
    redisUrl: redis ? `${redis.url}/${redis.uses % REDIS_DATABASES}` : '',
    natsUrl: own.natsUrl,
    natsSeeds: own.natsSeeds,
    postgresBinFolder: own.postgresBinFolder,
    stop: async () => {
      await own.stop();
      isTaken = false;
      if (postgres) await clean('postgres', postgres);
      if (redis) await clean('redis', redis);
    },
  };
}

const STARTS = {
  postgres: async (): Promise<SharedService> => {
    const { postgresUrl: url, stop } = await startTestServices({ postgres: true });
    await protectTemplate(url);
    return { url, stop, clean: () => removeWhatIsLeft(url), uses: 0, isUsed: false };
  },
  redis: async (): Promise<SharedService> => {
    const { redisUrl: url, stop } = await startTestServices({ redis: true });
    const settings = await settingsOfRedis(url);
    return { url, stop, clean: () => emptyRedis(url, settings), uses: 0, isUsed: false };
  },
};

async function take(name: keyof typeof STARTS): Promise<SharedService> {
  const running = await perWorker(name, STARTS[name]);
  // A suite that ended without `stop()`, for example because its start failed, has left what it made.
  if (running.isUsed) await clean(name, running).catch(() => undefined);
  const service = await perWorker(name, STARTS[name]);
  service.isUsed = true;
  service.uses++;
  return service;
}

/** @throws Error if the service cannot be used again. The next suite then starts a new one */
async function clean(name: keyof typeof STARTS, service: SharedService): Promise<void> {
  try {
    await service.clean();
    service.isUsed = false;
  } catch (error) {
    await endPerWorker(name);
    throw error;
  }
}
