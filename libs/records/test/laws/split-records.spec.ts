import fc from 'fast-check';

import { ByteSink } from '@understudy/bytes';

import {
  csvRecordWriter,
  jsonRecordWriter,
  ndjsonRecordWriter,
  type RecordWriter,
  sqlRecordWriter,
} from '../../src/index.js';
import { records, storableValue } from './arbitrary-records.js';

const FORMATS: Record<string, (columns: readonly string[]) => RecordWriter> = {
  csv: csvRecordWriter,
  json: jsonRecordWriter,
  ndjson: ndjsonRecordWriter,
  sql: sqlRecordWriter,
};

it.each(Object.keys(FORMATS))(
  'writes the same bytes of %s for any split over writers and sinks',
  (format) => {
    const make = FORMATS[format] as (columns: readonly string[]) => RecordWriter;
    fc.assert(
      fc.property(records(storableValue), fc.array(fc.boolean()), ({ columns, rows }, cuts) => {
        const whole = new ByteSink();
        const writer = make(columns);
        for (const row of rows) writer.write(row, whole);

        const parts: Uint8Array[] = [];
        let part = new ByteSink(0);
        let partWriter = make(columns);
        rows.forEach((row, i) => {
          partWriter.write(row, part);
          if (!cuts[i]) return;
          parts.push(part.take());
          part = new ByteSink(0);
          partWriter = make(columns);
        });
        parts.push(part.take());
        expect(Buffer.concat(parts)).toEqual(Buffer.from(whole.take()));
      }),
    );
  },
);
