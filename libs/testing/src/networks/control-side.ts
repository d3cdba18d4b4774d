import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  generateNatsSeeds,
  natsServerConfiguration,
  natsServerFiles,
  type NatsSeeds,
} from '@understudy/agent-protocol/nats-trust';
import {
  cleanEnvironment,
  makeControlDatabase,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/local-system';
import { ensureBinaries } from '../provision/ensure-binaries.js';
import { programFile } from '../provision/checkout-programs.js';

import { guideFile } from './guide-files.js';
import {
  API_PORT,
  certificatesIn,
  CONTROL_HOST,
  hostsOf,
  NATS_HOST,
  WEBSOCKET_PORT,
  type TwoNetworksOptions,
} from './network-plan.js';
import type { Site } from './site.js';

const MONITORING_PORT = 8222;

interface Organization {
  readonly org_id: string;
  readonly api_token: string;
}

/** The network of the control plane: PostgreSQL, Redis, NATS, nginx and the control plane. */
export class ControlSide {
  private readonly processes = new Map<'nats' | 'nginx' | 'control-plane', ProcessIdentity>();
  private organization: Organization | undefined;

  private constructor(
    readonly site: Site,
    private readonly folder: string,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    /** URL of the control plane's database for the test. */
    readonly databaseUrl: string,
    /** Origin of the API for the test: plain HTTP through the namespace's loopback, not over the link. */
    readonly origin: string,
    private readonly seeds: NatsSeeds,
    private readonly natsBinary: string,
    private readonly monitoringPort: number,
  ) {}

  static async open(site: Site, folder: string, options: TwoNetworksOptions): Promise<ControlSide> {
    const services = await site.services({ postgres: true, redis: true });
    const databaseUrl = await makeControlDatabase(await site.exposeUrl(services.postgresUrl), 'c0ffee', true);
    const insideUrl = new URL(databaseUrl);
    insideUrl.port = new URL(services.postgresUrl).port;
    const seeds = generateNatsSeeds();
    const natsUrl = `tls://${NATS_HOST}:4222`;
    const environment = {
      ...cleanEnvironment(),
      UNDERSTUDY_CA_FILE: join(certificatesIn(folder), 'ca.crt'),
      UNDERSTUDY_DATABASE_URL: insideUrl.href,
      UNDERSTUDY_REDIS_URL: services.redisUrl,
      UNDERSTUDY_NATS_URL: natsUrl,
      ...(options.way === 'proxy' && { UNDERSTUDY_NATS_PUBLIC_URL: `wss://${CONTROL_HOST}/nats` }),
      UNDERSTUDY_NATS_OPERATOR_SEED: seeds.operator,
      UNDERSTUDY_NATS_ACCOUNT_SEED: seeds.account,
      UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: seeds.agentAccount,
      UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: seeds.systemAccount,
      UNDERSTUDY_PUBLIC_URL: `https://${CONTROL_HOST}`,
      UNDERSTUDY_TRUSTED_PROXIES: '127.0.0.1',
      UNDERSTUDY_OPS_PASSWORD: 'a password for the tests',
      ...options.controlPlaneSettings,
    };
    const origin = `http://127.0.0.1:${await site.expose(API_PORT)}`;
    const { nats } = await ensureBinaries({ services: ['nats'] });
    const monitoring = await site.expose(MONITORING_PORT);
    const side = new ControlSide(
      site,
      folder,
      environment,
      databaseUrl,
      origin,
      seeds,
      nats.path,
      monitoring,
    );
    await side.writeNatsConfiguration();
    side.command('migrate');
    side.organization = JSON.parse(side.command('bootstrap', '--org', 'Two', '--json')) as Organization;
    await Promise.all([side.startNats(), side.startNginx()]);
    return side;
  }

  /** A token of the owner of the organisation. */
  get apiToken(): string {
    return this.organization?.api_token ?? '';
  }

  /** How the test connects to NATS as a user of the agents' account. */
  get natsAccess(): { readonly hostname: string; readonly ca: string; readonly agentAccount: string } {
    const ca = readFileSync(join(certificatesIn(this.folder), 'ca.crt'), 'utf8');
    return { hostname: NATS_HOST, ca, agentAccount: this.seeds.agentAccount };
  }

  /** Creates a token with which one agent can enrol. */
  enrolmentToken(): string {
    const args = ['agent', 'enrolment-token', '--org', this.organization?.org_id ?? '', '--json'];
    return (JSON.parse(this.command(...args)) as { token: string }).token;
  }

  async startControlPlane(): Promise<void> {
    const args = [programFile('control-plane', 'main.js')];
    await this.start('control-plane', process.execPath, args, async () => {
      const { ok, status } = await fetch(`${this.origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (!ok) throw new Error(`/readyz returned ${status}`);
    });
  }

  async startNats(): Promise<void> {
    await this.start('nats', this.natsBinary, ['-c', this.path('nats.conf')], async () => {
      const answer = await fetch(`http://127.0.0.1:${this.monitoringPort}/healthz`, {
        signal: AbortSignal.timeout(5_000),
      });
      if (!answer.ok) throw new Error(`/healthz returned ${answer.status}`);
    });
  }

  /** Lets the names of the control plane lead to another address in this network. */
  useAddress(address: string): void {
    this.site.namespace.setHosts(hostsOf(address));
  }

  /** Ends a program with SIGKILL. */
  async kill(name: 'nats' | 'control-plane'): Promise<void> {
    await stopProcess(this.processes.get(name), { signal: 'SIGKILL' });
  }

  private async startNginx(): Promise<void> {
    const folder = this.path('nginx');
    mkdirSync(folder);
    writeFileSync(join(folder, 'understudy.conf'), guideFile('understudy.conf', certificatesIn(this.folder)));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `user root; pid ${join(folder, 'nginx.pid')}; worker_processes 1; daemon off; error_log stderr;
       events { }
       http { access_log ${join(folder, 'access.log')}; ${temporary.join(' ')} include understudy.conf; }\n`,
    );
    const port = await this.site.expose(443);
    const args = ['-c', join(folder, 'nginx.conf')];
    await this.start('nginx', 'nginx', args, async () => {
      await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(5_000) });
    });
  }

  private async writeNatsConfiguration(): Promise<void> {
    const tls = certificatesIn(this.folder);
    const files = await natsServerFiles(this.seeds);
    const text = natsServerConfiguration(files, {
      host: '0.0.0.0',
      port: 4222,
      dataFolder: this.path('nats'),
      tls: { certFile: join(tls, 'nats.crt'), keyFile: join(tls, 'nats.key') },
      webSocket: { host: '127.0.0.1', port: WEBSOCKET_PORT },
      monitoringPort: MONITORING_PORT,
    });
    mkdirSync(this.path('nats'));
    writeFileSync(this.path('nats.conf'), text, { mode: 0o600 });
  }

  private async start(
    name: 'nats' | 'nginx' | 'control-plane',
    command: string,
    args: readonly string[],
    probe: () => Promise<void>,
  ): Promise<void> {
    const spec = {
      ...{ name, command, args, env: { ...this.environment }, cwd: this.folder },
      logFile: this.path('logs', `${name}.log`),
    };
    const ready = (exited: AbortSignal): Promise<void> =>
      waitUntilReady(probe, { exited, timeoutMs: 100_000 });
    this.processes.set(name, await this.site.namespace.start(spec, ready));
  }

  private command(...args: string[]): string {
    return this.site.namespace.runWith(
      this.environment,
      process.execPath,
      programFile('control-plane', 'cli.js'),
      ...args,
    );
  }

  private path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }
}
