import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  isRunning,
  reachableFolder,
  postgresUser,
  startPostgres,
  stopPostgres,
  type PostgresBinaries,
  type RunningService,
} from '@understudy/stack';
import { Client } from 'pg';

/** A PostgreSQL server of its own that can be broken and started again on the same port. Durable: what it said is committed stays so. */
export class DatabaseServer {
  private constructor(
    private readonly options: Parameters<typeof startPostgres>[0],
    private service: RunningService,
  ) {}

  static async start(name: string, folder: string, binaries: PostgresBinaries): Promise<DatabaseServer> {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o711); // the server runs as another user when this runs as root
    const data = reachableFolder(join(folder, name), postgresUser());
    const options = {
      dataFolder: join(data, 'data'),
      logFile: join(folder, `${name}.log`),
      binaries,
      password: 'faults',
      durable: true,
    };
    return new DatabaseServer(options, await startPostgres(options));
  }

  /** Superuser, without a database name. */
  get url(): string {
    return this.service.url;
  }

  get dataFolder(): string {
    return this.options.dataFolder;
  }

  get isUp(): boolean {
    return isRunning(this.service.process);
  }

  /** As a power cut would: nothing is written down any more. */
  async crash(): Promise<void> {
    await stopPostgres(this.service.process, 'immediate');
  }

  /** Back on its old port; leaves a running one alone. */
  async up(): Promise<void> {
    if (this.isUp) return;
    this.service = await startPostgres({ ...this.options, preferredPort: this.service.port });
  }

  async stop(): Promise<void> {
    await stopPostgres(this.service.process, 'immediate');
  }

  async query<Row extends object>(database: string, sql: string, params: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: `${this.url}/${database}`, application_name: 'faults' });
    client.on('error', () => undefined); // a server that breaks shows in the query
    await client.connect();
    try {
      return (await client.query<Row>(sql, params)).rows;
    } finally {
      await client.end().catch(() => undefined); // a close that fails has closed
    }
  }
}
