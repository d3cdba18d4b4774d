import { copyOutMessages, type Client, type MessageReceiver, quoteIdentifier } from '@understudy/postgres';
import { isSparse, searchNonNull, type TableSample } from './sample-table.js';
import type { ListedTable, SurveyedColumn } from './surveyed-table.js';

export interface DocumentRequest {
  readonly table: ListedTable;
  readonly column: SurveyedColumn;
  /** The sample of the table. The documents of its rows are read. */
  readonly sample: Pick<TableSample, 'from' | 'share'>;
  readonly timeoutMs: number;
}

/** Receives the values of a column piece by piece, one value after another. */
export interface DocumentSink {
  write(text: string): void;
  /** The value ends, or its rest could not be read. */
  end(): void;
}

/** The reading of a column's documents, which may have been stopped by an error of the server or by its time limit. */
export interface DocumentProgress {
  /** The number of documents in the sample. */
  readonly total: number;
  /** The number of documents that were read to their end. */
  readonly complete: number;
  /** Whether the beginning of a further document was read. */
  readonly isCut: boolean;
  /** The size of the largest document that was read, in bytes of COPY's text format. */
  readonly largestBytes: number;
}

/**
 * Reads values of a column as a stream, so that they can have any size: documents as they are, and arrays, composite
 * types and hstore as JSON. Reads the smallest values first, so that a time limit affects only large ones. Must run in
 * a transaction.
 * @param progress receives the progress, which is also valid after an error
 */
export async function readDocuments(
  client: Client,
  { table, column, sample }: DocumentRequest,
  sink: DocumentSink,
  progress: (progress: DocumentProgress) => void,
): Promise<void> {
  const name = quoteIdentifier(column.name);
  const count = async (from: string) => {
    const sql = `SELECT pg_catalog.count(v)::int4 AS total FROM (SELECT ${name} AS v FROM ${from}) s`;
    return { from, total: (await client.query<{ total: number }>(sql)).rows[0]?.total ?? 0 };
  };
  const first = await count(sample.from);
  const { from, total } =
    (isSparse(sample, column, first.total) ? await searchNonNull(client, table, column, count) : undefined) ??
    first;
  const receiver = new DocumentReceiver(total, sink);
  // For a composite value, IS NOT NULL would be false if one of its fields is NULL.
  const ordered = `SELECT v FROM (SELECT ${name} AS v FROM ${from}) s WHERE v IS DISTINCT FROM NULL ORDER BY pg_catalog.pg_column_size(v)`;
  const text = isText(column) ? 'v::pg_catalog.text' : 'pg_catalog.to_json(v)::pg_catalog.text';
  try {
    await copyOutMessages(client, `COPY (SELECT ${text} FROM (${ordered}) o) TO STDOUT`, receiver);
  } finally {
    progress(receiver.stop());
  }
}

function isText({ type, isArray, isComposite }: SurveyedColumn): boolean {
  return !isArray && !isComposite && type !== 'hstore';
}

/** Splits COPY's text format into the values of its only field. Changes the received bytes in place. */
class DocumentReceiver implements MessageReceiver {
  private complete = 0;
  private largestBytes = 0;
  private size = 0;
  private isEscaped = false;
  private decoder = new TextDecoder();

  constructor(
    private readonly total: number,
    private readonly sink: DocumentSink,
  ) {}

  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void {
    this.size += end - start;
    this.largestBytes = Math.max(this.largestBytes, this.size);
    // The last byte of a message is the newline that ends the row.
    const written = this.unescape(bytes, start, isLast ? end - 1 : end);
    const text = this.decoder.decode(bytes.subarray(start, written), { stream: !isLast });
    if (text !== '') this.sink.write(text);
    if (!isLast) return;
    this.size = 0;
    this.complete++;
    this.sink.end();
  }

  flush(): undefined {
    // The bytes are already processed.
  }

  /** Ends a value whose rest the server did not send, and returns the progress. */
  stop(): DocumentProgress {
    const isCut = this.size > 0;
    if (isCut) this.sink.end();
    return { total: this.total, complete: this.complete, isCut, largestBytes: this.largestBytes };
  }

  private unescape(bytes: Uint8Array, start: number, end: number): number {
    let to = start;
    let at = start;
    while (at < end) {
      if (this.isEscaped) {
        const code = bytes[at++] as number;
        bytes[to++] = ESCAPES.get(code) ?? code;
        this.isEscaped = false;
        continue;
      }
      const found = bytes.subarray(at, end).indexOf(BACKSLASH);
      const next = found === -1 ? end : at + found;
      if (to !== at) bytes.copyWithin(to, at, next);
      to += next - at;
      at = next + 1;
      this.isEscaped = found !== -1;
    }
    return to;
  }
}

const BACKSLASH = 0x5c;
/** The characters behind a backslash that stand for another one: b, f, n, r, t and v. */
const ESCAPES = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x76, 0x0b],
]);
