import { ByteSink } from '@understudy/bytes';
import { compileSchema } from '@understudy/generator';
import { ndjsonRecordWriter } from '@understudy/records';

import { benchOptions } from './bench-options.js';
import { personSchema } from './person-schema.js';

const BATCH_BYTES = 1 << 16;
/** One request's worth: a cursor makes as many values as a request may ask for, and no more. */
const RECORDS_A_CURSOR = 100_000;

/**
 * Ours: plan, cursor and writer, the way the service runs them.
 * @returns makes the persons `from` to `from + count - 1` as NDJSON, throws their bytes away and says how many there were
 */
export function personRecords(names: 'lists' | 'models'): (from: number, count: number) => number {
  const plan = compileSchema(personSchema(names), benchOptions());
  const writer = ndjsonRecordWriter(plan.output);
  const sink = new ByteSink(2 * BATCH_BYTES);
  return (from, count) => {
    let bytes = 0;
    let cursor = plan.open(1);
    for (let made = 0; made < count; made++) {
      if (made % RECORDS_A_CURSOR === 0) cursor = plan.open(1);
      cursor.moveTo(from + made);
      writer.write(cursor.values, sink);
      if (sink.length >= BATCH_BYTES) bytes += sink.take().length;
    }
    return bytes + sink.take().length;
  };
}
