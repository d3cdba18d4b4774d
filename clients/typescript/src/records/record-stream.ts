import { ConnectionError, StreamInterruptedError } from '../errors.js';
import type { FieldProblem } from '../generated/types.js';
import type { ParseJson } from '../transport/json.js';
import { isObject } from '../transport/response.js';
import type { ByteStream } from './byte-stream.js';
import { readGenerationInfo, type GenerationInfo } from './generation-info.js';
import { readLines } from './lines.js';

/** Asks the server to mark its errors in a stream. A server that does so repeats the header. */
export const MARKED_ERRORS = { 'X-Generation-Errors': 'marked' };
/** The record separator U+001E begins the line of an error. JSON cannot contain it, so no record can imitate it. */
const MARK = '\u001e';

/**
 * A generated record. Its keys are the names in the `output` of the schema. The option `largeIntegers` of the client
 * decides how it contains numbers that a double cannot hold.
 */
export type GeneratedRecord = Record<string, unknown>;

/**
 * The records of a response, read while you iterate. Iterate once, with `for await`. If you do not iterate to the
 * end, leave the loop with `break` or call `close`, so that the connection is closed.
 */
export class RecordStream implements AsyncIterableIterator<GeneratedRecord>, GenerationInfo {
  readonly seed: number | undefined;
  /** The number of records. */
  readonly count: number;
  readonly now: string | undefined;
  readonly engineVersion: string | undefined;
  readonly warnings: readonly FieldProblem[];
  readonly #bytes: ByteStream;
  readonly #records: AsyncGenerator<GeneratedRecord, void, undefined>;

  /** @internal */
  constructor(bytes: ByteStream, requested: number) {
    const info = readGenerationInfo(bytes, requested);
    this.seed = info.seed;
    this.count = info.count;
    this.now = info.now;
    this.engineVersion = info.engineVersion;
    this.warnings = info.warnings;
    this.#bytes = bytes;
    this.#records = readRecords(bytes, info.count);
  }

  /** @throws StreamInterruptedError if the stream ends early, or the server reports an error */
  next(): Promise<IteratorResult<GeneratedRecord, void>> {
    return this.#records.next();
  }

  /** Closes the connection. A loop calls this method when you leave it. */
  async return(): Promise<IteratorResult<GeneratedRecord, void>> {
    await this.close();
    return this.#records.return();
  }

  async close(): Promise<void> {
    await this.#bytes.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

async function* readRecords(
  bytes: ByteStream,
  expected: number,
): AsyncGenerator<GeneratedRecord, void, undefined> {
  let received = 0;
  const isMarked = bytes.headers.get('x-generation-errors') === 'marked';
  // An older server does not mark errors. Then a line that has the form of an error is one only if no line follows.
  let held: GeneratedRecord | undefined;
  const interrupted = (reason: string, code?: string): StreamInterruptedError =>
    new StreamInterruptedError(
      `generate: received ${received} of ${expected} records: ${reason}`,
      received,
      expected,
      code,
    );
  const reported = ({ code, message }: ServerError): StreamInterruptedError =>
    interrupted(bytes.shown(`${code}: ${message}`), bytes.shown(code));
  const counted = (record: GeneratedRecord): GeneratedRecord => {
    if (received === expected) throw interrupted('the server sent more records than it announced');
    received++;
    return record;
  };
  let failure: ConnectionError | undefined;
  try {
    for await (const lines of readLines(bytes, interrupted))
      for (const line of lines) {
        if (line.startsWith(MARK))
          // also if a proxy has removed the header

          throw reported(errorOf(parsed(line.slice(1), bytes.parse) ?? {}) ?? CUT);
        const record = parsed(line, bytes.parse);
        if (record === undefined) throw interrupted('a line is not a JSON object', 'malformed_record');
        if (held) yield counted(held);
        held = !isMarked && errorOf(record) ? record : undefined;
        if (!held) yield counted(record);
      }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    failure = error;
  } finally {
    await bytes.close();
  }
  const error = held && errorOf(held);
  if (error && received < expected) throw reported(error);
  if (held) counted(held);
  if (failure) throw interrupted(failure.message, failure.code);
  if (received < expected) throw interrupted('the stream ended');
}

function parsed(line: string, parse: ParseJson): GeneratedRecord | undefined {
  try {
    const value = parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // the caller reports it without the line, which may contain generated values
  }
}

interface ServerError {
  readonly code: string;
  readonly message: string;
}
const CUT: ServerError = { code: 'internal_error', message: 'the server reported an error that was cut' };

/** Returns the error of a line `{"error": {"code", "message"}}`. */
function errorOf(record: GeneratedRecord): ServerError | undefined {
  const error = record['error'];
  if (!isObject(error) || Object.keys(record).length !== 1) return undefined;
  const { code, message } = error;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}
