import { CsvError, parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

import { asFileError, fileError } from '../cli-error.js';
import { LineSplitter } from './lines.js';
import type { ValueSource } from './value-source.js';

/** The largest permitted record of a table, in bytes. */
const LONGEST_RECORD = 16 * 1024 * 1024;

export interface ValueReader {
  readonly value: (text: string) => void;
  /** Is called with the size of each piece of the file, for progress. */
  readonly bytes: (count: number) => void;
}

/**
 * Reads every value in the order of the file. Keeps one line or record in memory.
 * @throws CliError if the file cannot be read or has the wrong format
 */
export async function readValues(source: ValueSource, reader: ValueReader): Promise<void> {
  const { file } = source;
  const stream: Readable =
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const read = source.kind === 'lines' ? readLines(stream, reader, file) : readColumn(stream, reader, source);
  await read.catch(asFileError(file));
}

async function readLines(stream: Readable, { value, bytes }: ValueReader, file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const lines = new LineSplitter(value);
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fileError(file, 'expected text in UTF-8');
    }
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes(chunk.length);
    lines.push(decode(chunk));
  }
  lines.push(decode());
  lines.finish();
}

type Column = Extract<ValueSource, { kind: 'column' }>;

async function readColumn(
  stream: Readable,
  { value, bytes }: ValueReader,
  { file, column, delimiter }: Column,
): Promise<void> {
  stream.on('data', (chunk: Buffer) => bytes(chunk.length));
  const parser = stream.pipe(parse({ delimiter, bom: true, max_record_size: LONGEST_RECORD }));
  stream.on('error', (error) => parser.destroy(error));
  let position: number | undefined;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (position === undefined) position = findColumn(record, column, file);
      else value(record[position] ?? '');
    }
  } catch (error) {
    // The parser's message is not printed, because it quotes the file.
    if (error instanceof CsvError) throw fileError(file, `expected CSV (${describe(error)})`);
    throw error;
  } finally {
    stream.destroy();
  }
  if (position === undefined)
    throw fileError(file, 'the file is empty: expected a line with the names of the columns');
}

function findColumn(header: readonly string[], column: string, file: string): number {
  const position = header.indexOf(column);
  if (position < 0)
    throw fileError(
      file,
      `there is no column "${column}"; the columns are ${header.slice(0, 50).join(', ')}`,
    );
  if (header.lastIndexOf(column) !== position)
    throw fileError(file, `expected one column "${column}", found several`);
  return position;
}

function describe(error: CsvError): string {
  const line: unknown = Reflect.get(error, 'lines');
  const what = error.code.replace(/^CSV_/, '').replaceAll('_', ' ').toLowerCase();
  return typeof line === 'number' ? `line ${line}: ${what}` : what;
}
