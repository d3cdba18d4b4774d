import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  generateNatsSeeds,
  natsServerConfiguration,
  natsServerFiles,
  type NatsSeeds,
} from '@understudy/agent-protocol/nats-trust';
import {
  cleanUpOnExit,
  freePort,
  type RunningService,
  startNats,
  stopProcess,
} from '@understudy/local-system';
import { ensureBinaries } from './provision/ensure-binaries.js';

import type { TestCertificate } from './test-certificates.js';

export interface TestNatsOptions {
  /** The certificate of both listeners. Without it, the server has neither TLS nor a listener for WebSocket. */
  readonly certificate?: TestCertificate;
  readonly seeds?: NatsSeeds;
}

/** A nats-server with TLS and WebSocket, on ports of its own. Call `remove()` at the end of the test. */
export class TestNats {
  private running: RunningService | undefined;
  private callOff: () => void = () => undefined;

  private constructor(
    readonly seeds: NatsSeeds,
    private readonly folder: string,
    readonly port: number,
    readonly webSocketPort: number,
  ) {}

  static async start({ certificate, seeds = generateNatsSeeds() }: TestNatsOptions = {}): Promise<TestNats> {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-nats-'));
    const nats = new TestNats(seeds, folder, await freePort(undefined), await freePort(undefined));
    mkdirSync(join(folder, 'data'));
    const files = await natsServerFiles(seeds);
    const tls = { certFile: nats.path('cert'), keyFile: nats.path('key') };
    const webSocket = { host: '127.0.0.1', port: nats.webSocketPort, tls };
    const configuration = natsServerConfiguration(files, {
      host: '127.0.0.1',
      port: nats.port,
      dataFolder: join(folder, 'data'),
      ...(certificate === undefined ? {} : { tls, webSocket }),
    });
    writeFileSync(join(folder, 'data', 'nats.conf'), configuration);
    await nats.restart(certificate);
    return nats;
  }

  /** Starts the server, or starts it again, with the same data and ports. */
  async restart(certificate?: TestCertificate): Promise<void> {
    await this.stop();
    if (certificate !== undefined) this.write(certificate);
    const { nats: binary } = await ensureBinaries();
    this.running = await startNats({
      binary,
      seeds: this.seeds,
      dataFolder: join(this.folder, 'data'),
      logFile: join(this.folder, 'nats.log'),
      preferredPort: this.port,
    });
    this.callOff = cleanUpOnExit([this.running.process.pid], [this.folder]);
  }

  /** Stops the server and keeps its data. */
  async stop(): Promise<void> {
    await stopProcess(this.running?.process, { signal: 'SIGQUIT', graceMs: 3_000 });
    this.running = undefined;
    this.callOff();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private write(certificate: TestCertificate): void {
    writeFileSync(this.path('cert'), certificate.cert);
    writeFileSync(this.path('key'), certificate.key, { mode: 0o600 });
  }

  private path(name: 'cert' | 'key'): string {
    return join(this.folder, `${name}.pem`);
  }
}
