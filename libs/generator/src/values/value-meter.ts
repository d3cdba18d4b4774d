import { BUDGETS } from '../definition/budgets.js';
import { GenerationError } from '../definition/errors.js';

/**
 * Stops a definition that multiplies. What `repeat` makes and what goes out are counted apart: items may be made
 * and not put out, and shared parts of a value may go out more often than they were made.
 */
export class ValueMeter {
  private readonly made = new Count();
  private readonly emitted = new Count();
  private text = 0;
  private candidates = 0;

  startRecord(): void {
    this.made.record = 0;
    this.emitted.record = 0;
    this.text = 0;
  }

  /** What one request may make is counted from here on. */
  startRequest(): void {
    this.made.request = 0;
    this.emitted.request = 0;
    this.candidates = 0;
  }

  /** A column has as many cells as its table has rows: only a single one is bounded. */
  startCell(): void {
    this.made.record = 0;
    this.made.request = 0;
    this.candidates = 0;
  }

  /** Counts elements that a predicate is about to look at. @throws as `addItem` */
  addCandidates(count: number, path: string): void {
    this.candidates += count;
    if (this.candidates > BUDGETS.candidatesPerRequest) {
      throw new GenerationError(
        path,
        `where looks at no more than ${BUDGETS.candidatesPerRequest} elements in a request: let it read fewer different values, choose a bucket by key, or shorten the list`,
        'limit_exceeded',
      );
    }
  }

  /** Counts one item of a repeat. @throws GenerationError with code `limit_exceeded` */
  addItem(path: string): void {
    this.made.add(1, path);
  }

  /**
   * Counts the leaves of a value that goes out, an empty array or object being one, and the characters of its texts
   * and keys: what takes no room here, because its parts are shared, is written in full. @throws as `addItem`
   */
  addLeaves(value: unknown, path: string): void {
    if (typeof value === 'string') this.addText(value.length, path);
    if (typeof value !== 'object' || value === null) {
      this.emitted.add(1, path);
      return;
    }
    if (!Array.isArray(value)) for (const key of Object.keys(value)) this.addText(key.length, path);
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (members.length === 0) this.emitted.add(1, path);
    for (const member of members) this.addLeaves(member, path);
  }

  private addText(characters: number, path: string): void {
    this.text += characters;
    if (this.text > BUDGETS.textPerRecord) {
      throw new GenerationError(
        path,
        `a record has at most ${BUDGETS.textPerRecord} characters`,
        'limit_exceeded',
      );
    }
  }
}

class Count {
  record = 0;
  request = 0;

  add(count: number, path: string): void {
    this.record += count;
    this.request += count;
    if (this.record > BUDGETS.leafValuesPerRecord) {
      throw new GenerationError(
        path,
        `a record has at most ${BUDGETS.leafValuesPerRecord} values`,
        'limit_exceeded',
      );
    }
    if (this.request > BUDGETS.leafValuesPerRequest) {
      throw new GenerationError(
        path,
        `a request makes at most ${BUDGETS.leafValuesPerRequest} values`,
        'limit_exceeded',
      );
    }
  }
}
