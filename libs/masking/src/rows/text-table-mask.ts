import type { ByteSink } from '@understudy/bytes';
import { isNullField, writeNullField, writeTextField } from '@understudy/copy-format';
import { type Key, sipHash128 } from '@understudy/random';
import { type HeadField, TableMask } from './table-mask.js';

const TAB = 0x09;

/** Masks rows in COPY's text format. */
export class TextTableMask extends TableMask {
  /**
   * @param keyFields number of leading fields that are the row key; at least 1
   * @param rowHashKey see `rowKeyOf`
   */
  constructor(
    head: readonly HeadField[],
    private readonly keyFields: number,
    private readonly rowHashKey: Key,
    bindings: readonly string[],
  ) {
    super(head, bindings, TAB, 0);
  }

  protected hashKey(words: Int32Array): void {
    const end = this.bounds[2 * this.keyFields - 1] as number;
    sipHash128(this.rowHashKey, this.bytes, this.bounds[0] as number, end, words);
  }

  protected isNull(field: number): boolean {
    return isNullField(this.bytes, this.bounds[2 * field] as number, this.bounds[2 * field + 1] as number);
  }

  protected writeKept(field: number, out: ByteSink): void {
    out.write(this.bytes, this.bounds[2 * field] as number, this.bounds[2 * field + 1] as number);
  }

  protected writeText(text: string | null, out: ByteSink): void {
    if (text === null) writeNullField(out);
    else writeTextField(out, text);
  }
}
