import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotCounts } from '../snapshot-reporter.js';
import type { UnderstudyNames } from './understudy-names.js';

/**
 * What a restore writes down before it makes a database, so that whatever becomes of its process somebody knows what to clear up and whether it
 * had come to its end. Holds no password.
 */
export interface RestoreNote {
  readonly restoreId: string;
  readonly epoch: number;
  /** As `RestoreSnapshotCommand` has it. */
  readonly sealedTarget: string;
  readonly names: UnderstudyNames;
  /** Of the loaded database, when it may be about to take the target's name. */
  readonly oid?: string;
  readonly counts: SnapshotCounts;
  /** By this machine's clock. */
  readonly startedAtMs: number;
}

/** Notes of the restores that are not known to be cleared up. */
export class RestoreNotes {
  constructor(private readonly folder: string) {}

  async all(): Promise<readonly RestoreNote[]> {
    const names = await readdir(this.folder).catch(() => []); // no restore yet
    const notes: RestoreNote[] = [];
    for (const name of names.filter((one) => one.endsWith(SUFFIX)).sort())
      notes.push(JSON.parse(await readFile(join(this.folder, name), 'utf8')) as RestoreNote);
    return notes;
  }

  /** Resolves when it is on the disk. */
  async write(note: RestoreNote): Promise<void> {
    const path = this.pathOf(note);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = await open(`${path}.new`, 'w', 0o600);
    try {
      await draft.writeFile(JSON.stringify(note));
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.new`, path);
    const folder = await open(this.folder, 'r');
    await folder.sync().finally(() => folder.close());
  }

  async remove(note: RestoreNote): Promise<void> {
    await rm(this.pathOf(note), { force: true });
  }

  private pathOf({ restoreId, epoch }: RestoreNote): string {
    return join(this.folder, `${restoreId}-${epoch}${SUFFIX}`);
  }
}

const SUFFIX = '.note.json';
