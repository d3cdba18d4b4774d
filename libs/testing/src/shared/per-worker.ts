/** The services that this process keeps, and the run of tests that started them. */
interface Kept {
  readonly run: string | undefined;
  readonly services: Map<string, Promise<Service>>;
}

interface Service {
  stop(): Promise<void>;
  /** False if the service has ended, for example because a suite killed it. The next suite then starts a new one. */
  isRunning?(): boolean;
}

/** On `process`, because Jest runs this file again for each suite, and restores the globals after it. */
const KEPT = Symbol.for('understudy.services-of-the-worker');
const worker = process as typeof process & { [KEPT]?: Kept };

/**
 * Returns a service that lives as long as the Jest worker. The first suite of a worker that asks for the name starts
 * the service; if the start fails, the next suite tries again. In watch mode, each run has new services.
 *
 * Jest does not announce the end of a worker. `start` must therefore leave no open handles, and use `cleanUpOnExit`.
 * The service outlives the modules of the suite that started it, so it must import nothing later.
 */
export async function perWorker<T extends Service>(name: string, start: () => Promise<T>): Promise<T> {
  const services = await servicesOfTheRun();
  const known = services.get(name) as Promise<T> | undefined;
  if (known !== undefined) {
    const running = await known;
    if (running.isRunning?.() !== false) return running;
    await endPerWorker(name);
  }
  const starting = start();
  services.set(name, starting);
  starting.catch(() => services.delete(name));
  return starting;
}

/** Stops a service of the worker, for example because it no longer works. The next suite starts a new one. */
export async function endPerWorker(name: string): Promise<void> {
  const services = await servicesOfTheRun();
  const service = services.get(name);
  services.delete(name);
  await (await service)?.stop();
}

async function servicesOfTheRun(): Promise<Kept['services']> {
  const run = process.env['UNDERSTUDY_TEST_SHARED'];
  const before = worker[KEPT];
  if (before?.run === run && before !== undefined) return before.services;
  const services: Kept['services'] = new Map();
  worker[KEPT] = { run, services };
  for (const service of before?.services.values() ?? []) await (await service).stop();
  return services;
}
