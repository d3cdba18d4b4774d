import type { SourceTable } from '../create/source-catalog.js';
import type { SnapshotCounts } from '../job/snapshot-reporter.js';

/** What pg_dump and pg_restore say, with `--verbose` and several workers, when one of them is done with an item. */
const FINISHED = /^pg_(?:dump|restore): finished item (\d+) TABLE DATA (.*)$/;
/** The same with one worker: the one before it is done. */
const BEGUN = /^pg_(?:dump: dumping contents of table|restore: processing data for table) /;

/** How far a dump or a load is, by what the program says. Names are read for sizes alone, and may be anybody's. */
export class DumpProgress {
  private tablesDone = 0;
  private bytesDone = 0;
  private begun = 0;
  private readonly bytesOf = new Map<string, number>();
  private readonly bytesTotal: number;

  /** @param tables those whose rows are read, partitions and not their parents */
  constructor(private readonly tables: readonly Pick<SourceTable, 'name' | 'bytes'>[]) {
    // pg_dump says names without schemas: of two alike, the mean.
    const alike = new Map<string, number[]>();
    for (const { name, bytes } of tables) alike.set(name, [...(alike.get(name) ?? []), bytes]);
    for (const [name, sizes] of alike) this.bytesOf.set(name, sum(sizes) / sizes.length);
    this.bytesTotal = sum(tables.map(({ bytes }) => bytes));
  }

  /** @returns the id of the item whose file is complete now, or undefined */
  read(line: string): string | undefined {
    const [, item, name = ''] = FINISHED.exec(line) ?? [];
    if (item === undefined) {
      if (BEGUN.test(line) && ++this.begun > 1) this.tablesDone = this.begun - 1;
      return undefined;
    }
    this.begun = Number.NEGATIVE_INFINITY;
    this.tablesDone += 1;
    this.bytesDone += this.bytesOf.get(name) ?? 0;
    return item;
  }

  get counts(): SnapshotCounts {
    const tablesTotal = this.tables.length;
    return {
      tablesDone: Math.min(this.tablesDone, tablesTotal),
      tablesTotal,
      bytesDone: Math.min(Math.round(this.bytesDone), this.bytesTotal),
      bytesTotal: this.bytesTotal,
    };
  }

  get completed(): SnapshotCounts {
    const tablesTotal = this.tables.length;
    return { tablesDone: tablesTotal, tablesTotal, bytesDone: this.bytesTotal, bytesTotal: this.bytesTotal };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
