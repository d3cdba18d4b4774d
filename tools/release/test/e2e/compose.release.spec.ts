import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanUpOnExit } from '@understudy/local-system';
import { describeUnless, NetworkNamespace, reasonToSkip } from '@understudy/testing';

import { run } from '../../src/run-program.js';
import { ContainerEngine } from './container-engine.js';
import { makeStandInImages, NODE_IMAGE } from './stand-in-images.js';

jest.setTimeout(1_200_000); // makes a release and six images

const ROOT = join(import.meta.dirname, '../../../..');
const PROJECT = 'understudy-suite';
/** docker-compose 1.29 restarts all services at the same time. Compose v2 has this order. */
const SERVICES = [
  ...['network', 'postgres', 'databases', 'redis', 'nats-configuration'],
  ...['nats', 'bootstrap', 'control-plane', 'agent'],
];
const ONE_SHOTS = new Set(['nats-configuration', 'bootstrap']);
const LASTING = SERVICES.filter((name) => !ONE_SHOTS.has(name));
/** The service `network` only waits, and has no health check. */
const CHECKED = LASTING.filter((name) => name !== 'network');

/** The process of a container, and the time of its start, in two lines. */
const PROCESS = '{{.State.Pid}}\n{{.State.StartedAt}}';

const SHOP = `
  CREATE TABLE customers (id integer PRIMARY KEY, email text NOT NULL);
  INSERT INTO customers SELECT i, 'person' || i || '@private.example' FROM generate_series(1, 1000) AS i`;
const UNMASKED = "SELECT count(*), count(*) FILTER (WHERE email LIKE '%@private.example') FROM customers";

describeUnless(reasonToSkip('containers') ?? NetworkNamespace.whyNotPossible())('docker-compose.yml', () => {
  let folder: string;
  let callOff: () => void;
  let engine: ContainerEngine;
  let token: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-compose-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', folder]);
    const engineFolder = join(folder, 'engine');
    const unmount = `umount --lazy --recursive '${folder}'`;
    callOff = cleanUpOnExit([], [folder], [...ContainerEngine.removal(engineFolder), unmount]);
    engine = await ContainerEngine.start(engineFolder);
    await makeStandInImages(engine, join(folder, 'stand-in'), join(ROOT, '.nx/node'));
    await makeImages();
    prepareProject();
  });

  afterAll(async () => {
    try {
      await engine?.stop();
    } finally {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
      callOff();
    }
  });

  /** Makes the two images with the command of deploy/docker/README.md. */
  async function makeImages(): Promise<void> {
    const [digest = ''] = await engine.podman('image', 'inspect', '--format', '{{.Digest}}', NODE_IMAGE);
    const options = ['--images', '--base-image', NODE_IMAGE, '--base-digest', digest, '--json'];
    // Outside the network of the engine, because the image of the agent installs a package from Debian's mirrors.
    const made = await run(
      process.execPath,
      [join(ROOT, 'tools/release/dist/cli.js'), '--out', join(folder, 'project/release'), ...options],
      { env: engine.env },
    );
    for (const image of (JSON.parse(made) as { readonly images: readonly string[] }).images)
      await engine.podman('tag', image, `docker.io/${image.replace(/:.*/, '')}:latest`);
  }

  /** Makes the folder of the project, with the secrets that the command at the head of the file creates. */
  function prepareProject(): void {
    cpSync(join(ROOT, 'deploy/docker'), join(folder, 'project/deploy/docker'), { recursive: true });
    const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    // docker-compose 1.29 refuses the name of the project in the file.
    writeFileSync(join(folder, 'project/docker-compose.yml'), text.replace(/^name: understudy\n/m, ''));
    const cli = join(ROOT, 'apps/control-plane/dist/cli.js');
    execFileSync(process.execPath, [cli, 'compose-environment', join(folder, 'project/.env')]);
  }

  async function compose(...args: readonly string[]): Promise<string> {
    const project = ['--project-name', PROJECT, '--project-directory', join(folder, 'project')];
    return engine.run(
      'docker-compose',
      ...project,
      '--file',
      join(folder, 'project/docker-compose.yml'),
      ...['--env-file', join(folder, 'project/.env'), ...args],
    );
  }

  const container = (service: string): string => `${PROJECT}_${service}_1`;

  /** Starts the stack. docker-compose 1.29 has no `--wait`, so this function waits until all checks succeed. */
  async function up(): Promise<void> {
    await engine.whileCheckingHealth(async () => void (await compose('up', '--detach', '--no-build')));
    await untilHealthy();
  }

  /** Runs the health checks until all succeed. The last results, which podman keeps, may be older than a restart. */
  async function untilHealthy(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const failing = await engine.failingChecks(CHECKED.map(container));
      if (failing.length === 0) return;
      if (attempt === 300) throw new Error(`expected healthy services, but not ${failing.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async function inspect(services: readonly string[], format: string): Promise<readonly string[]> {
    return engine.podman('container', 'inspect', '--format', format, ...services.map(container));
  }

  /** Reads the token with the command at the head of the file. Its output is in the container's log. */
  async function readToken(): Promise<string> {
    const name = `${PROJECT}-token`;
    const [, command = ''] =
      /^# +docker compose run --rm --no-deps bootstrap '(.+)'$/m.exec(
        readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
      ) ?? [];
    await compose('run', '--detach', '--no-deps', '--name', name, 'bootstrap', command);
    expect(await engine.podman('wait', name)).toEqual(['0']);
    const [line = ''] = await engine.podman('logs', name);
    await engine.podman('rm', name);
    return (JSON.parse(line) as { readonly api_token: string }).api_token;
  }

  async function call(path: string, body?: object): Promise<Record<string, unknown>> {
    const data = body && ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)];
    const answer = await engine.run(
      'curl',
      ...['--silent', '--show-error', '--fail-with-body'],
      ...['--header', `Authorization: Bearer ${token}`, ...(data ?? [])],
      `http://127.0.0.1:8080/v1${path}`,
    );
    return (JSON.parse(answer) as { readonly data: Record<string, unknown> }).data;
  }

  /** Runs statements with the command for the superuser in the file. */
  async function psql(database: string, statements: string, role = 'postgres'): Promise<readonly string[]> {
    const options = ['--no-psqlrc', '--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1', '--quiet'];
    const connection = ['--host', '127.0.0.1', '--username', role, '--dbname', database];
    return engine.podman(
      'exec',
      container('databases'),
      'psql',
      ...[...options, ...connection, '--command', statements],
    );
  }

  /** Waits until the engine has started a service again, by itself. */
  async function untilStartedAfter(before: string, service: string): Promise<void> {
    for (let attempt = 0; attempt < 120; attempt += 1) {
      const [pid, started] = await inspect([service], PROCESS);
      if (pid !== '0' && started !== before) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`expected ${service} to start again after a crash`);
  }

  /** Creates a job with the URLs that the head of the file describes. Returns its id. */
  async function createJob(target: string): Promise<string> {
    const secrets = readFileSync(join(folder, 'project/.env'), 'utf8');
    const [, password = ''] = /^UNDERSTUDY_DATABASES_PASSWORD=(.+)$/m.exec(secrets) ?? [];
    const database = (name: string): object => ({
      type: 'postgresql',
      connection_string: `postgresql://understudy:${password}@databases:5432/${name}?sslmode=disable`,
    });
    await psql('postgres', `CREATE DATABASE ${target}`, 'understudy');
    const email = { generator: 'template', pattern: '{{uuid}}@example.test' };
    const job = await call('/sync/jobs', {
      name: target,
      source: database('shop'),
      target: database(target),
      tables: [{ name: 'customers', columns: { email } }],
    });
    return String(job['id']);
  }

  async function expectCompleted(job: string, target: string): Promise<void> {
    let status: unknown;
    for (let attempt = 0; attempt < 300; attempt += 1) {
      ({ status } = await call(`/sync/jobs/${job}?tables=none`));
      if (status !== 'pending' && status !== 'running') break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(status).toBe('completed');
    expect(await psql(target, UNMASKED)).toEqual(['1000|0']);
  }

  it('starts all services, and the organisation has a token', async () => {
    await engine.podman('volume', 'create', 'of-somebody-else');
    await engine.podman('create', '--name', 'of-somebody-else', 'docker.io/library/redis:7', 'true');
    await up();
    token = await readToken();
    expect(await call('/org')).toMatchObject({ name: 'Understudy' });
  });

  it('runs each service as an ordinary user without capabilities, within its limits', async () => {
    for (const pid of await inspect(LASTING, '{{.State.Pid}}')) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:(\t[1-9]\d*){4}$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    }
    const limits = '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.PidsLimit}} {{.HostConfig.Memory}}';
    expect(new Set(await inspect(SERVICES, limits))).toEqual(new Set([`true 512 ${2 * 1024 ** 3}`]));
  });

  it('completes a masked job', async () => {
    await psql('postgres', 'CREATE DATABASE shop', 'understudy');
    await psql('shop', SHOP, 'understudy');
    await expectCompleted(await createJob('before'), 'before');
  });

  it('completes a job that was created just before a restart of all services', async () => {
    const job = await createJob('across');
    for (const service of SERVICES) await compose('restart', service);
    await untilHealthy();
    await expectCompleted(job, 'across');
  });

  it.each(CHECKED)('completes jobs after only %s was restarted, and after it crashed', async (service) => {
    const database = service.replace('-', '_');
    await compose('restart', service);
    await untilHealthy();
    await expectCompleted(await createJob(`${database}_restarted`), `${database}_restarted`);
    const [pid = '', started = ''] = await inspect([service], PROCESS);
    process.kill(Number(pid), 'SIGKILL');
    await untilStartedAfter(started, service);
    await untilHealthy();
    await expectCompleted(await createJob(`${database}_crashed`), `${database}_crashed`);
  });

  it('keeps its containers, its organisation and its data when it is started again', async () => {
    const before = await inspect(LASTING, '{{.Id}} {{.State.Pid}}');
    await up();
    expect(await inspect(LASTING, '{{.Id}} {{.State.Pid}}')).toEqual(before);
    expect(await readToken()).toBe(token);
    await expectCompleted(await createJob('after'), 'after');
  });

  it('keeps its organisation and its data when it is started from its volumes', async () => {
    await down();
    await up();
    expect(await readToken()).toBe(token);
    expect(await psql('after', UNMASKED)).toEqual(['1000|0']);
    await expectCompleted(await createJob('later'), 'later');
  });

  it('is removed without the containers, volumes and networks of others', async () => {
    await down('--volumes');
    expect(await engine.podman('ps', '--all', '--format', '{{.Names}}')).toEqual(['of-somebody-else']);
    expect(await engine.podman('volume', 'ls', '--filter', `name=${PROJECT}`, '--quiet')).toEqual([]);
    expect(await engine.podman('volume', 'ls', '--quiet')).toContain('of-somebody-else');
    expect(await engine.podman('network', 'ls', '--format', '{{.Name}}')).toEqual(['podman']);
  });

  /** podman removes a container only after those that share its network, and docker-compose 1.29 has no such order. */
  async function down(...args: readonly string[]): Promise<void> {
    await compose('rm', '--stop', '--force', 'agent', 'control-plane', 'bootstrap', 'nats');
    await compose('down', ...args);
  }
});
