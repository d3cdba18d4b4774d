import { AsyncResource } from 'node:async_hooks';

import pg, { type ClientConfig, type PoolClient, type PoolConfig } from 'pg';

import { DatabaseWaits } from './database-waits.js';

type OnConnection = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;

/**
 * Returns PostgreSQL's driver with a limit on the time for which a request waits ({@link DatabaseWaits}). If a
 * statement reaches the limit, its connection is destroyed, because it may never respond again. The driver's
 * own `query_timeout` would keep it in the pool.
 * @param limitMs must be longer than the server's limit on a statement; 0 means no limit
 */
export function limitedDriver(limitMs: number): Pick<typeof pg, 'Client' | 'Pool'> {
  if (limitMs === 0) return pg;

  class Client extends pg.Client {
    private isEnded = false;
    private endWait: (() => void) | undefined;

    constructor(config?: string | ClientConfig) {
      super(config);
      this.on('drain', () => this.respond());
      this.on('end', () => {
        this.isEnded = true;
        this.respond();
      });
    }

    override readonly query = ((...statement: unknown[]): unknown => {
      if (!this.isEnded)
        this.endWait ??= DatabaseWaits.current().begin(limitMs, () => this.connection.stream.destroy());
      return (super.query as (...values: unknown[]) => unknown)(...statement);
    }) as pg.Client['query'];

    /** Called when all statements have ended. */
    private respond(): void {
      this.endWait?.();
      this.endWait = undefined;
    }
  }

  class Pool extends pg.Pool {
    constructor(config?: PoolConfig) {
      super({ ...config, Client });
    }

    override connect(): Promise<PoolClient>;
    override connect(callback: OnConnection): void;
    override connect(callback?: OnConnection): Promise<PoolClient> | void {
      if (!callback) throw new Error('expected a callback, as TypeORM and `query` pass it');
      // Another request may release the connection, and the driver then calls back in that request's context.
      const take = AsyncResource.bind(callback);
      let isLate = false;
      const endWait = DatabaseWaits.current().begin(limitMs, () => {
        isLate = true;
        endWait();
        take(new Error('timeout exceeded when trying to connect'), undefined, () => undefined);
      });
      super.connect((error, client, release) => {
        endWait();
        if (!isLate) take(error, client, release);
        else if (client) release(); // after a failure there is none, and the pool may pass no function
      });
    }
  }
  return { ...pg, Client, Pool };
}
