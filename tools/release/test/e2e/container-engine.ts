import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { NetworkNamespace } from '@understudy/testing';

import { run } from '../../src/run-program.js';

const ENVIRONMENT = {
  COMPOSE_INTERACTIVE_NO_CLI: '1', // docker-compose would otherwise look for Docker's own client
  COMPOSE_HTTP_TIMEOUT: '300', // seconds; the default of 60 is too short for a busy machine
  DISABLE_HC_SYSTEMD: 'true', // podman runs no health checks by itself
  BUILDAH_ISOLATION: 'chroot',
};

/**
 * podman with images, containers, volumes and networks of its own, in a network namespace without a way out. Therefore
 * it can pull nothing, and its ports on 127.0.0.1 are not those of the test machine.
 */
export class ContainerEngine {
  private service: ChildProcess | undefined;

  private constructor(
    private readonly namespace: NetworkNamespace,
    private readonly folder: string,
  ) {}

  /** @param folder an empty folder, preferably in memory */
  static async start(folder: string): Promise<ContainerEngine> {
    const engine = new ContainerEngine(NetworkNamespace.create('engine'), folder);
    engine.configure();
    await engine.serve();
    return engine;
  }

  /**
   * Returns commands of the shell that remove the containers of an engine whose process was killed, and their networks.
   * The monitors of the containers end first, because they would start them again.
   */
  static removal(folder: string): readonly string[] {
    const files = (name: string): string => `'${folder}'/*/overlay-containers/*/userdata/${name}`;
    return [
      `awk 1 ${files('conmon.pid')} ${files('pidfile')} | xargs -r kill -9`,
      `grep -oh 'netns-[-0-9a-f]*' ${files('config.json')} | sort -u | xargs -rn 1 ip netns delete`,
    ];
  }

  /** Environment in which podman, buildah and docker-compose use the files of this engine. */
  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      ...ENVIRONMENT,
      CONTAINERS_CONF: this.path('containers.conf'),
      CONTAINERS_STORAGE_CONF: this.path('storage.conf'),
      CONTAINERS_REGISTRIES_CONF: this.path('registries.conf'),
      DOCKER_HOST: `unix://${this.path('engine.sock')}`,
    };
  }

  /** Runs a program in the network namespace and returns its output. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    return run('nsenter', [`--net=/run/netns/${this.namespace.name}`, program, ...args], { env: this.env });
  }

  /** Runs podman and returns the lines that it prints. */
  async podman(...args: readonly string[]): Promise<readonly string[]> {
    return (await this.run('podman', ...args)).split('\n').filter((line) => line !== '');
  }

  /** Runs `work`, and the health checks of all containers about once a second, as systemd's timers would. */
  async whileCheckingHealth(work: () => Promise<void>): Promise<void> {
    const done = new AbortController();
    await Promise.all([work().finally(() => done.abort()), this.checkHealth(done.signal)]);
  }

  /** Runs the health checks of these containers. Returns the names of those that fail. */
  async failingChecks(containers: readonly string[]): Promise<readonly string[]> {
    const failing: string[] = [];
    for (const name of containers)
      await this.podman('healthcheck', 'run', name).catch(() => failing.push(name));
    return failing;
  }

  /** Removes the containers of this engine, and ends its processes. Its files stay. */
  async stop(): Promise<void> {
    try {
      // podman removes a container only after those that share its network. These are newer.
      const ids = await this.podman('ps', '--all', '--quiet', '--sort', 'created');
      for (const id of ids.toReversed()) await this.podman('rm', '--force', '--time', '0', id);
    } finally {
      if (this.service?.exitCode === null) {
        this.service.kill();
        await once(this.service, 'exit');
      }
      this.namespace.remove();
    }
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  private configure(): void {
    mkdirSync(this.folder, { recursive: true });
    const write = (name: string, ...lines: readonly string[]): void =>
      writeFileSync(this.path(name), `${lines.join('\n')}\n`);
    write('registries.conf', 'unqualified-search-registries = []');
    write(
      'storage.conf',
      '[storage]',
      'driver = "overlay"',
      `graphroot = "${this.path('storage')}"`,
      `runroot = "${this.path('run')}"`,
    );
    write(
      'containers.conf',
      '[containers]',
      // The defaults are higher than a root user without CAP_SYS_RESOURCE may set.
      'default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]',
      '[network]',
      'network_backend = "netavark"',
      `network_config_dir = "${this.path('networks')}"`,
      '[engine]',
      'runtime = "runc"', // crun 1.8 refuses a machine that has both versions of cgroups
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      'lock_type = "file"',
      `tmp_dir = "${this.path('tmp')}"`,
      `volume_path = "${this.path('volumes')}"`,
    );
  }

  /** Starts the interface that docker-compose uses, and waits until its socket exists. */
  private async serve(): Promise<void> {
    const socket = this.path('engine.sock');
    const created = new AbortController();
    const watcher = watch(this.folder, (_event, name) => name === 'engine.sock' && created.abort());
    const command = ['podman', 'system', 'service', '--time', '0', `unix://${socket}`];
    this.service = spawn('nsenter', [`--net=/run/netns/${this.namespace.name}`, ...command], {
      env: this.env,
      stdio: 'ignore',
    });
    const exited = once(this.service, 'exit').then(() => Promise.reject(new Error('podman ended')));
    exited.catch(() => undefined); // it ends when the suite ends
    await Promise.race([once(created.signal, 'abort'), exited]).finally(() => watcher.close());
  }

  private async checkHealth(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await this.failingChecks(await this.podman('ps', '--quiet')); // also those that have no check
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}
