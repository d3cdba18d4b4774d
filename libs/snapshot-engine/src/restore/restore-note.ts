import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotCounts } from '../snapshot-reporter.js';
import type { UnderstudyNames } from './understudy-names.js';

/** Which attempt at which restore a note is of. Notes hold no password. */
interface AttemptNote {
  readonly restoreId: string;
  readonly epoch: number;
  /** As `RestoreSnapshotCommand` has it. */
  readonly sealedTarget: string;
}

/**
 * What a restore writes down before it makes a database, so that whatever becomes of its process somebody knows what to clear up and whether it
 * had come to its end.
 */
export interface RestoreNote extends AttemptNote {
  readonly names: UnderstudyNames;
  /** Of the loaded database, when it may be about to take the target's name. */
  readonly oid?: string;
  /** The database that is replaced, if it is kept for a while after the switch. */
  readonly keeps?: { readonly oid: string; readonly forMs: number };
  readonly counts: SnapshotCounts;
  /** By this machine's clock. */
  readonly startedAtMs: number;
}

/** A database that a restore has replaced and that is kept beside its target. */
export interface KeptDatabase extends AttemptNote {
  readonly name: string;
  readonly oid: string;
  /** When it is dropped, by this machine's clock. */
  readonly untilMs: number;
}

/** Notes of one kind, a file each, which outlive the process. */
export class Notes<Note extends AttemptNote> {
  private constructor(
    private readonly folder: string,
    private readonly suffix: string,
  ) {}

  /** Of restores that are not known to be cleared up. */
  static ofRestores(folder: string): Notes<RestoreNote> {
    return new Notes(folder, '.note.json');
  }

  static ofKeptDatabases(folder: string): Notes<KeptDatabase> {
    return new Notes(folder, '.kept.json');
  }

  async all(): Promise<readonly Note[]> {
    const names = await readdir(this.folder).catch(() => []); // no restore yet
    const notes: Note[] = [];
    for (const name of names.filter((one) => one.endsWith(this.suffix)).sort())
      notes.push(JSON.parse(await readFile(join(this.folder, name), 'utf8')) as Note);
    return notes;
  }

  /** Resolves when it is on the disk. */
  async write(note: Note): Promise<void> {
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

  async remove(note: Note): Promise<void> {
    await rm(this.pathOf(note), { force: true });
  }

  private pathOf({ restoreId, epoch }: Note): string {
    return join(this.folder, `${restoreId}-${epoch}${this.suffix}`);
  }
}
