import { setTimeout as pause } from 'node:timers/promises';

import { Client } from 'pg';

/** A row that the server has reported as committed. */
export interface Written {
  /** The oid of the database. */
  readonly database: string;
  readonly number: number;
}

const BETWEEN_MS = 100;

/**
 * A program that uses the target during all changes: it connects, commits one row, and disconnects. It belongs to no job,
 * so each of its rows must survive in the database in which it was committed.
 */
export class Writer {
  readonly written: Written[] = [];
  /** The longest time without a committed row, in milliseconds. */
  longestGapMs = 0;
  private isStopped = false;
  private readonly running: Promise<void>;

  /** @param url URL of the target, past the link that faults cut */
  constructor(private readonly url: string) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    let lastMs = performance.now();
    for (let number = 1; !this.isStopped; number += 1) {
      const database = await this.write(number).catch(() => undefined); // the gap shows for how long it failed
      if (database !== undefined) {
        this.written.push({ database, number });
        this.longestGapMs = Math.max(this.longestGapMs, performance.now() - lastMs);
        lastMs = performance.now();
      }
      await pause(BETWEEN_MS);
    }
  }

  private async write(number: number): Promise<string | undefined> {
    const client = new Client({ connectionString: this.url, application_name: 'writer' });
    client.on('error', () => undefined); // a server that crashes is noticed in the query
    await client.connect();
    try {
      await client.query(`CREATE TABLE IF NOT EXISTS ${MARKS} (number int)`);
      await client.query(`INSERT INTO ${MARKS} VALUES ($1)`, [number]);
      const { rows } = await client.query<{ oid: string }>(
        'SELECT oid::text AS oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()',
      );
      return rows[0]?.oid;
    } finally {
      await client.end().catch(() => undefined); // if closing fails, the connection is closed anyway
    }
  }
}

/** The table of the writer, which no fingerprint includes. */
export const MARKS = 'faults_marks';
