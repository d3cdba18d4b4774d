import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotCounts } from '@understudy/agent-protocol';
import type { EngineLog } from '@understudy/postgres';
import type { RecordedTarget } from './recorded-target.js';
import type { RestoreDatabaseNames } from './restore-database-names.js';

/** Identifies an attempt at a restore. No record contains a password. */
interface AttemptRecord extends RecordedTarget {
  readonly restoreId: string;
  readonly epoch: number;
}

/**
 * Record of a restore that has started. It is written before the restore creates a database. After a crash, the
 * next process uses it to find the databases to drop and to determine whether the restore was complete.
 */
export interface RestoreRecord extends AttemptRecord {
  readonly names: RestoreDatabaseNames;
  /** Oid of the loaded database. Set before the switch begins. */
  readonly oid?: string;
  /**
   * The oid of the replaced database, and the milliseconds for which it is kept after the switch. Absent if there
   * is none or it is dropped immediately.
   */
  readonly keeps?: { readonly oid: string; readonly forMs: number };
  readonly counts: SnapshotCounts;
  /** Start of the restore by this machine's clock. */
  readonly startedAtMs: number;
}

/** Record of an agent of an earlier version: a replaced database is kept until `untilMs`. */
export interface KeptDatabaseRecord extends AttemptRecord {
  readonly name: string;
  readonly oid: string;
  /** When to drop the database, by this machine's clock. */
  readonly untilMs: number;
}

/** Stores records of one kind on disk, one file per record. */
export class RecoveryRecords<Entry extends AttemptRecord> {
  private constructor(
    private readonly folder: string,
    private readonly suffix: string,
    /** The fields without which a record is damaged, with their types. */
    private readonly fields: Readonly<Record<string, 'string' | 'number' | 'object'>>,
  ) {}

  /** @returns the store for records of restores. A record is removed when the cleanup of its restore is complete. */
  static ofRestores(folder: string): RecoveryRecords<RestoreRecord> {
    return new RecoveryRecords(folder, '.note.json', {
      names: 'object',
      counts: 'object',
      startedAtMs: 'number',
    });
  }

  /** @returns the store for records of replaced databases that are kept */
  static ofKeptDatabases(folder: string): RecoveryRecords<KeptDatabaseRecord> {
    return new RecoveryRecords(folder, '.kept.json', { name: 'string', oid: 'string', untilMs: 'number' });
  }

  /** Returns the records, and logs the names of damaged files, which must not keep the agent from using the others. */
  async all(log: Pick<EngineLog, 'warn'>): Promise<readonly Entry[]> {
    const names = await readdir(this.folder).catch(() => []); // the folder does not exist before the first record
    const records: Entry[] = [];
    for (const file of names.filter((one) => one.endsWith(this.suffix)).sort()) {
      const record = this.parse(await readFile(join(this.folder, file), 'utf8'));
      if (record === undefined) log.warn({ folder: this.folder, file }, DAMAGED);
      else records.push(record);
    }
    return records;
  }

  /** @returns undefined if the text is no record */
  private parse(text: string): Entry | undefined {
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      return undefined; // the parser's message would quote the file
    }
    const found = new Map(Object.entries(record ?? {}));
    const fields = { restoreId: 'string', epoch: 'number', sealedTarget: 'string', ...this.fields };
    const isWhole = Object.entries(fields).every(
      ([name, type]) => typeof (found.get(name) ?? undefined) === type,
    );
    return isWhole ? (record as Entry) : undefined;
  }

  /** Resolves when the record is on the disk. */
  async write(record: Entry): Promise<void> {
    const path = this.pathOf(record);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = await open(`${path}.new`, 'w', 0o600);
    try {
      await draft.writeFile(JSON.stringify(record));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.new`, path);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
  }

  async remove(record: Entry): Promise<void> {
    await rm(this.pathOf(record), { force: true });
  }

  private pathOf({ restoreId, epoch }: Entry): string {
    return join(this.folder, `${restoreId}-${epoch}${this.suffix}`);
  }
}

const DAMAGED =
  'a recovery record of a restore is damaged and is left out: drop the databases of the restore that nobody needs, and delete the file';
