import type { SnapshotCounts } from '@understudy/agent-protocol';

/**
 * A line that pg_dump and pg_restore print with `--verbose` and several workers, when a worker has finished
 * an item.
 */
const FINISHED = /^pg_(?:dump|restore): finished item (\d+) TABLE DATA (.*)$/;
/**
 * A line that pg_dump and pg_restore print with one worker when they begin a table. The previous table is then
 * finished.
 */
const BEGUN = /^pg_(?:dump: dumping contents of table|restore: processing data for table) /;

/** Derives the progress of a dump or a load from the program's output. Names are used only to look up sizes. */
export class DumpProgress {
  private tablesDone = 0;
  private bytesDone = 0;
  private begun = 0;
  private readonly bytesOf = new Map<string, number>();
  private readonly bytesTotal: number;

  /** @param tables the tables whose rows are dumped or loaded, with partitions instead of their parents */
  constructor(private readonly tables: readonly { readonly name: string; readonly bytes: number }[]) {
    // pg_dump prints names without schemas, so tables of the same name get their mean size.
    const sizesOf = new Map<string, number[]>();
    for (const { name, bytes } of tables) sizesOf.set(name, [...(sizesOf.get(name) ?? []), bytes]);
    for (const [name, sizes] of sizesOf) this.bytesOf.set(name, sum(sizes) / sizes.length);
    this.bytesTotal = sum(tables.map(({ bytes }) => bytes));
  }

  /**
   * Processes a line of output.
   * @returns the id of the item that the line reports as finished; undefined for any other line
   */
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
