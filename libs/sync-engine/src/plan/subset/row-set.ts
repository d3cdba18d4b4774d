/** A range of pages of a table. */
export interface RelationPart {
  /** The oid of the table or leaf partition. Undefined for all leaf partitions of a partitioned table. */
  readonly relationOid: string | undefined;
  /** The first page of the range. Undefined for a range from the start. */
  readonly fromPage: number | undefined;
  /** The first page after the range. Undefined for a range to the end. */
  readonly toPage: number | undefined;
}

/** The memory that all row sets of one job share. */
export interface RowSetBudget {
  readonly maxBytes: number;
  usedBytes: number;
}

export class RowSetTooLargeError extends Error {
  constructor() {
    super('the rows of the subset need more memory than their limit');
    this.name = 'RowSetTooLargeError';
  }
}

/** The number of pages that share one bitmap. A ctid can address 2^32 pages of up to 2^16 rows. */
const PAGES_A_GROUP = 64;

/**
 * A set of rows of one table, identified by `tableoid` and `ctid`, which do not change in a snapshot. It has
 * one bit for each row location. A group of 64 pages has a bitmap only if the set has a row in one of these
 * pages. In a table with 80 rows on each page, the set needs 12 bytes for each page.
 */
export class RowSet {
  private readonly relations = new Map<number, Map<number, Uint32Array>>();
  private rows = 0;

  constructor(private readonly budget: RowSetBudget) {}

  get count(): number {
    return this.rows;
  }

  /** Adds a row. @returns false if the row was already in the set @throws RowSetTooLargeError */
  add(oid: number, page: number, row: number): boolean {
    const words = this.group(oid, page, row);
    const at = wordOf(words, page, row);
    const bit = 1 << (row & 31);
    if (((words[at] ?? 0) & bit) !== 0) return false;
    words[at] = (words[at] ?? 0) | bit;
    this.rows++;
    return true;
  }

  has(oid: number, page: number, row: number): boolean {
    const words = this.relations.get(oid)?.get(Math.floor(page / PAGES_A_GROUP));
    if (words === undefined || row >> 5 >= widthOf(words)) return false;
    return ((words[wordOf(words, page, row)] ?? 0) & (1 << (row & 31))) !== 0;
  }

  /** Removes a row. @returns false if the row was not in the set */
  delete(oid: number, page: number, row: number): boolean {
    if (!this.has(oid, page, row)) return false;
    const words = this.group(oid, page, row);
    const at = wordOf(words, page, row);
    words[at] = (words[at] ?? 0) & ~(1 << (row & 31));
    this.rows--;
    return true;
  }

  /** Lists the oids of the relations to which a row was added, even if the row was removed later. */
  relationOids(): readonly number[] {
    return [...this.relations.keys()].sort((a, b) => a - b);
  }

  /**
   * Yields the row locations of one relation in ascending order.
   * @param fromPage the first page
   * @param toPage the first page after the range
   */
  *locations(oid: number, fromPage = 0, toPage = Infinity): Generator<readonly [page: number, row: number]> {
    const groups = this.relations.get(oid) ?? new Map<number, Uint32Array>();
    for (const group of [...groups.keys()].sort((a, b) => a - b)) {
      const words = groups.get(group) as Uint32Array;
      const width = widthOf(words);
      for (let i = 0; i < words.length; i++) {
        const page = group * PAGES_A_GROUP + Math.floor(i / width);
        if (page < fromPage || page >= toPage) continue;
        for (let word = words[i] ?? 0; word !== 0; word &= word - 1) {
          yield [page, (i % width) * 32 + 31 - Math.clz32(word & -word)];
        }
      }
    }
  }

  /** Counts the rows of the set within a part of the table. */
  countIn({ relationOid, fromPage = 0, toPage = Infinity }: RelationPart): number {
    const oids = relationOid === undefined ? this.relationOids() : [Number(relationOid)];
    let count = 0;
    for (const oid of oids) {
      for (const [group, words] of this.relations.get(oid) ?? []) {
        const first = group * PAGES_A_GROUP;
        const from = Math.max(0, fromPage - first);
        const to = Math.min(PAGES_A_GROUP, toPage - first);
        for (let i = from * widthOf(words); i < to * widthOf(words); i++) count += bitsOf(words[i] ?? 0);
      }
    }
    return count;
  }

  /** Empties the set and returns its memory to the budget. */
  clear(): void {
    for (const groups of this.relations.values()) {
      for (const words of groups.values()) this.budget.usedBytes -= words.byteLength;
    }
    this.relations.clear();
    this.rows = 0;
  }

  private group(oid: number, page: number, row: number): Uint32Array {
    let groups = this.relations.get(oid);
    if (groups === undefined) this.relations.set(oid, (groups = new Map()));
    const index = Math.floor(page / PAGES_A_GROUP);
    const known = groups.get(index);
    const width = (row >> 5) + 1;
    if (known !== undefined && widthOf(known) >= width) return known;
    const grown = new Uint32Array(width * PAGES_A_GROUP);
    this.budget.usedBytes += grown.byteLength - (known?.byteLength ?? 0);
    if (this.budget.usedBytes > this.budget.maxBytes) throw new RowSetTooLargeError();
    if (known !== undefined) widen(known, grown);
    groups.set(index, grown);
    return grown;
  }
}

/** Counts the bits of a word that are 1 (Warren, "Hacker's Delight", 5-1). */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function widthOf(words: Uint32Array): number {
  return words.length / PAGES_A_GROUP;
}

function wordOf(words: Uint32Array, page: number, row: number): number {
  return (page % PAGES_A_GROUP) * widthOf(words) + (row >> 5);
}

function widen(from: Uint32Array, to: Uint32Array): void {
  const width = widthOf(from);
  for (let page = 0; page < PAGES_A_GROUP; page++) {
    to.set(from.subarray(page * width, (page + 1) * width), page * widthOf(to));
  }
}
