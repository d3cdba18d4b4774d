import { ApiClient } from './generated/api-client.js';
import { OPERATIONS } from './generated/operations.js';
import type { GenerateRequest, GenerateSchema } from './generated/types.js';
import { openStream, type ByteStream } from './records/byte-stream.js';
import { readCsv, saveCsv, writeCsv } from './records/csv.js';
import { readGenerationInfo, type GenerateOptions, type GenerationInfo } from './records/generation-info.js';
import { MARKED_ERRORS, RecordStream, type GeneratedRecord } from './records/record-stream.js';
import { readConfiguration, type UnderstudyOptions } from './transport/configuration.js';
import { Transport } from './transport/transport.js';

/** Options of `generateCsv` with a destination. */
export interface GenerateCsvOptions extends GenerateOptions {
  /** The path of a file, which appears only when it is complete, or a stream, which is closed at the end. */
  readonly to: string | WritableStream<Uint8Array>;
}

/**
 * The client of the Understudy API. It may be used for any number of concurrent calls.
 *
 * @example
 * const client = new Understudy({ token: '…', baseUrl: 'https://understudy.example.com' });
 * const records = await client.generate(
 *   { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] },
 *   10,
 * );
 */
export class Understudy extends ApiClient {
  readonly #transport: Transport;

  /** @throws ConfigurationError if an option is missing or invalid */
  constructor(options: UnderstudyOptions = {}) {
    const transport = new Transport(readConfiguration(options));
    super(transport);
    this.#transport = transport;
  }

  /** Creates a client for operations that need no token, such as `members.acceptInvitation`. */
  static withoutToken(options: Omit<UnderstudyOptions, 'token'> = {}): Understudy {
    return new Understudy({ ...options, token: null });
  }

  /** The URL of the API. It ends in `/v1`. */
  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /**
   * Generates records and returns all of them. For many records, `generateStream` needs less memory.
   *
   * @param count 1 to 100,000
   * @throws ValidationError with the path of each invalid field, if the server refuses the schema
   * @throws StreamInterruptedError if the response ends early
   */
  async generate(
    schema: GenerateSchema,
    count: number,
    options: GenerateOptions = {},
  ): Promise<GeneratedRecord[]> {
    const records: GeneratedRecord[] = [];
    for await (const record of await this.generateStream(schema, count, options)) records.push(record);
    return records;
  }

  /** Generates records and returns them one at a time, with constant memory. */
  async generateStream(
    schema: GenerateSchema,
    count: number,
    options: GenerateOptions = {},
  ): Promise<RecordStream> {
    return new RecordStream(await this.#open('ndjson', schema, count, options), count);
  }

  /**
   * Generates records as a CSV file with a header line (RFC 4180).
   *
   * @returns the bytes of the file, or with `to`, what the server reports about the records
   */
  generateCsv(schema: GenerateSchema, count: number, options: GenerateCsvOptions): Promise<GenerationInfo>;
  generateCsv(
    schema: GenerateSchema,
    count: number,
    options?: GenerateOptions,
  ): Promise<Uint8Array<ArrayBuffer>>;
  async generateCsv(
    schema: GenerateSchema,
    count: number,
    options: GenerateOptions & Partial<GenerateCsvOptions> = {},
  ): Promise<Uint8Array<ArrayBuffer> | GenerationInfo> {
    const bytes = await this.#open('csv', schema, count, options);
    const info = readGenerationInfo(bytes, count);
    const { to } = options;
    if (to === undefined) return readCsv(bytes, info.count);
    await (typeof to === 'string' ? saveCsv(bytes, info.count, to) : writeCsv(bytes, info.count, to));
    return info;
  }

  #open(
    format: 'ndjson' | 'csv',
    schema: GenerateSchema,
    count: number,
    { seed, now, timeout, maxRetries, signal }: GenerateOptions,
  ): Promise<ByteStream> {
    const body: GenerateRequest = { schema, count, seed, now, format };
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    return this.#transport.send(
      OPERATIONS.generate,
      { body, options: { timeout, maxRetries, signal } },
      {
        accept: type,
        headers: MARKED_ERRORS,
        timeout: this.#transport.generateTimeout,
        read: openStream(type),
      },
    );
  }
}
