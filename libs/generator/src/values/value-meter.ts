import { hasMembers } from '@understudy/expression';

import { BUDGETS } from '../definition/budgets.js';
import { GenerationError } from '../definition/errors.js';

/**
 * Stops definitions that produce too many values. It counts the items of `repeat` and the values of the
 * output separately. The two numbers differ: an item need not be in the output, and a shared part of a value
 * can be in the output several times.
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

  /** Starts counting for a new request. */
  startRequest(): void {
    this.made.request = 0;
    this.emitted.request = 0;
    this.candidates = 0;
  }

  /**
   * Starts counting for a new cell of a column rule. There is no limit for all cells together, because a
   * table can have any number of rows.
   */
  startCell(): void {
    this.made.record = 0;
    this.made.request = 0;
    this.candidates = 0;
  }

  /** Counts elements before a condition inspects them. @throws GenerationError like `addItem` */
  addCandidates(count: number, path: string): void {
    this.candidates += count;
    if (this.candidates > BUDGETS.candidatesPerRequest) {
      throw new GenerationError(
        path,
        `where may inspect at most ${BUDGETS.candidatesPerRequest} elements in a request; let it read ` +
          'fewer different values, choose a bucket by key, or shorten the list',
        'limit_exceeded',
      );
    }
  }

  /** Counts one item of a repeat. @throws GenerationError with code `limit_exceeded` */
  addItem(path: string): void {
    this.made.add(1, path);
  }

  /**
   * Counts the leaves of a value in the output, and the characters of its texts and keys. An empty array or
   * object is one leaf. Shared parts are counted at each occurrence, because the output contains every copy.
   * @throws GenerationError like `addItem`
   */
  addLeaves(value: unknown, path: string): void {
    if (typeof value === 'string') this.addText(value.length, path);
    if (!hasMembers(value)) {
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
        `a record may have at most ${BUDGETS.textPerRecord} characters`,
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
        `a record may have at most ${BUDGETS.leafValuesPerRecord} values`,
        'limit_exceeded',
      );
    }
    if (this.request > BUDGETS.leafValuesPerRequest) {
      throw new GenerationError(
        path,
        `a request may generate at most ${BUDGETS.leafValuesPerRequest} values`,
        'limit_exceeded',
      );
    }
  }
}
