import { ByteSink } from '@understudy/bytes';
import { compileSchema } from '@understudy/generator';
import { ndjsonRecordWriter } from '@understudy/records';

import { benchOptions } from './bench-options.js';
import { personSchema } from './person-schema.js';

const BATCH_BYTES = 1 << 16;
/** Number of records in one request, and therefore from one cursor. */
const RECORDS_A_CURSOR = 100_000;

/**
 * Builds the Understudy side of the comparison from a plan, a cursor and a writer, as the service does.
 * @returns a function that generates the persons `from` to `from + count - 1` as NDJSON, drops their bytes
 *   and returns the number of bytes
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
