import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  isRunning,
  makeDatabasesRole,
  reachableFolder,
  postgresUser,
  startPostgres,
  stopPostgres,
  type PostgresBinaries,
  type RunningService,
} from '@understudy/local-system';
import { Client } from 'pg';

/**
 * A private PostgreSQL server that a fault can crash and that can be started again on the same port. It is
 * durable: commits that it reported survive a crash.
 */
export class DatabaseServer {
  private constructor(
    private readonly options: Parameters<typeof startPostgres>[0],
    private service: RunningService,
    private roleUrl: string,
  ) {}

  static async start(name: string, folder: string, binaries: PostgresBinaries): Promise<DatabaseServer> {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711); // if this process is root, the server runs as another user
    const data = reachableFolder(join(folder, name), postgresUser());
    const options = {
      dataFolder: join(data, 'data'),
      logFile: join(folder, `${name}.log`),
      binaries,
      password: 'faults',
      durable: true,
    };
    const service = await startPostgres(options);
    return new DatabaseServer(options, service, await makeDatabasesRole(service.url, options.password));
  }

  /** URL of the role of jobs, without a database name. */
  get jobUrl(): string {
    return this.roleUrl;
  }

  /** URL of a superuser, without a database name. */
  get url(): string {
    return this.service.url;
  }

  /** URL of a role whose password is its name. */
  urlOf(role: string, database: string): string {
    const url = new URL(`${this.service.url}/${database}`);
    return Object.assign(url, { username: role, password: role }).href;
  }

  get dataFolder(): string {
    return this.options.dataFolder;
  }

  get isUp(): boolean {
    return isRunning(this.service.process);
  }

  /** Stops the server without a checkpoint, as a loss of power does. */
  async crash(): Promise<void> {
    await stopPostgres(this.service.process, 'immediate');
  }

  /** Starts the server again on its old port. Does nothing if it runs. */
  async up(): Promise<void> {
    if (this.isUp) return;
    this.service = await startPostgres({ ...this.options, preferredPort: this.service.port });
    this.roleUrl = await makeDatabasesRole(this.service.url, this.options.password);
  }

  async stop(): Promise<void> {
    await stopPostgres(this.service.process, 'immediate');
  }

  async query<Row extends object>(database: string, sql: string, params: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: `${this.url}/${database}`, application_name: 'faults' });
    client.on('error', () => undefined); // a server that crashes is noticed in the query
    await client.connect();
    try {
      return (await client.query<Row>(sql, params)).rows;
    } finally {
      await client.end().catch(() => undefined); // if closing fails, the connection is closed anyway
    }
  }
}
