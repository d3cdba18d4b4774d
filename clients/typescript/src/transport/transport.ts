import { ConfigurationError, UnderstudyError } from '../errors.js';
import { readRetries, readTimeout, type Configuration } from './configuration.js';
import { connectionFailure } from './connection-failure.js';
import { Deadline } from './deadline.js';
import type { ParseJson } from './json.js';
import {
  requestBody,
  requestUrl,
  type CallArguments,
  type KeyedCallOptions,
  type Operation,
  type RequestBody,
} from './request.js';
import {
  encodingLeft,
  errorOf,
  isSuccess,
  mediaType,
  readBody,
  readJson,
  requestIdOf,
  resultOf,
  serverText,
  type ServerText,
} from './response.js';
import { isRepeatable, retryDelay } from './retry.js';
import { currentProcess, randomUuid, runtime } from './runtime.js';

export const VERSION = '0.1.0';

/** The media type of a response that is a file. */
const FILE = 'application/octet-stream';

/** A call whose arguments were checked. */
interface PreparedCall {
  readonly operation: Operation;
  readonly url: string;
  readonly body: RequestBody | undefined;
  readonly accept: string;
  /** Headers in addition to those of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  /** In seconds. */
  readonly timeout: number;
  readonly maxRetries: number;
  readonly signal: AbortSignal | undefined;
  readonly shown: ServerText;
  readonly parse: ParseJson;
}

/** The result of one attempt. */
type Outcome<T> = { readonly status?: number; readonly requestId?: string | undefined } & (
  | { readonly value: T }
  | {
      readonly error: UnderstudyError;
      readonly isRepeatable: boolean;
      readonly retryAfter?: number | undefined;
    }
);

/** Reads the body of a successful response. It owns the deadline unless it throws. */
export type BodyReader<T> = (response: Response, deadline: Deadline, call: PreparedCall) => Promise<T>;

/** Sends the calls of a client. It is the only code that knows the token. */
export class Transport {
  readonly #configuration: Configuration;
  readonly #shown: ServerText;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
    this.#shown = serverText(configuration.token);
  }

  get baseUrl(): string {
    return this.#configuration.baseUrl;
  }

  get generateTimeout(): number {
    return this.#configuration.generateTimeout;
  }

  /** Calls an operation whose response is JSON. */
  async call<T extends object>(operation: Operation, args: CallArguments): Promise<T> {
    return this.send<T>(operation, args, {
      accept: 'application/json',
      timeout: this.#configuration.timeout,
      read: async (response, deadline, { idempotencyKey, shown, parse }) => {
        const read = await readJson(response, parse);
        const result = resultOf(operation, read);
        if (result === undefined) throw errorOf(operation, read, idempotencyKey, shown);
        deadline.stop();
        return result as T;
      },
    });
  }

  /** Calls an operation whose response is a file. */
  async download(operation: Operation, args: CallArguments): Promise<Uint8Array<ArrayBuffer>> {
    return this.send(operation, args, {
      accept: FILE,
      timeout: this.#configuration.timeout,
      read: async (response, deadline, { idempotencyKey, shown }) => {
        const { status, headers } = response;
        const bytes = await readBody(response);
        deadline.stop();
        if (bytes !== undefined && mediaType(headers) === FILE) return bytes;
        const read = { status, headers, json: undefined, isTooLarge: bytes === undefined };
        throw errorOf(operation, read, idempotencyKey, shown, 'a file');
      },
    });
  }

  /** Calls an operation that returns a page, and then the ones for the next pages while items are used. */
  async *iterate<T>(operation: Operation, args: CallArguments): AsyncGenerator<T, void, undefined> {
    const { page: first, ...filters } = (args.query ?? {}) as { readonly page?: number };
    for (let page = first ?? 1; ; page++) {
      const result = await this.call<Record<string, unknown>>(operation, {
        ...args,
        query: { ...filters, page },
      });
      const items = result[operation.items ?? ''] as readonly T[];
      yield* items;
      const perPage = Number(result['per_page']);
      const hasMore = items.length > 0 && !(items.length < perPage);
      if (!hasMore || (page - 1) * perPage + items.length >= Number(result['total'])) return;
    }
  }

  /**
   * Sends a request, and repeats it as its operation permits.
   * @throws UnderstudyError of the last attempt, or the reason of the caller's signal
   */
  async send<T>(
    operation: Operation,
    args: CallArguments,
    how: {
      readonly accept: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly timeout: number;
      readonly read: BodyReader<T>;
    },
  ): Promise<T> {
    const options = args.options ?? {};
    const call: PreparedCall = {
      operation,
      url: requestUrl(this.baseUrl, operation, args),
      body: await requestBody(operation, args.body, this.#configuration.json),
      accept: how.accept,
      headers: how.headers ?? {},
      idempotencyKey: operation.idempotencyKey ? keyOf(options) : undefined,
      timeout: readTimeout('timeout', options.timeout, how.timeout),
      maxRetries: readRetries(options.maxRetries, this.#configuration.maxRetries),
      signal: options.signal,
      shown: this.#shown,
      parse: this.#configuration.json.parse,
    };
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt(call, how.read);
      const isDeletedBefore = operation.method === 'DELETE' && retry > 0 && outcome.status === 404;
      const delay = isDeletedBefore ? undefined : this.#delay(call, outcome, retry);
      this.#configuration.onAttempt({
        operation: operation.id,
        attempt: retry + 1,
        status: outcome.status,
        requestId: outcome.requestId,
        delay,
      });
      if (isDeletedBefore) return { id: args.path?.at(-1), deleted: true } as T;
      if ('value' in outcome) return outcome.value;
      if (delay === undefined) throw outcome.error;
      await runtime.sleep(delay, call.signal);
    }
  }

  #delay<T>(call: PreparedCall, outcome: Outcome<T>, retry: number): number | undefined {
    if ('value' in outcome || !outcome.isRepeatable) return undefined;
    if (call.operation.retry === 'never' || retry >= call.maxRetries) return undefined;
    return retryDelay(retry, outcome.retryAfter, this.#configuration);
  }

  async #attempt<T>(call: PreparedCall, read: BodyReader<T>): Promise<Outcome<T>> {
    const { operation, idempotencyKey, shown, parse } = call;
    const deadline = new Deadline(call.timeout, call.signal);
    let received: { readonly status: number; readonly requestId: string | undefined } | undefined;
    try {
      const response = await this.#configuration.fetch(call.url, {
        method: operation.method,
        headers: this.#headers(call),
        ...(call.body && { body: call.body.bytes }),
        redirect: 'manual',
        signal: deadline.signal,
      });
      received = { status: response.status, requestId: requestIdOf(response.headers, shown) };
      if (isSuccess(response.status) && encodingLeft(response.headers) === undefined)
        return { ...received, value: await read(response, deadline, call) };
      const error = errorOf(operation, await readJson(response, parse), idempotencyKey, shown);
      deadline.stop();
      const { requestId, retryAfter } = error;
      const isRetried = isRepeatable(response.status, retryAfter);
      return { status: response.status, requestId, error, isRepeatable: isRetried, retryAfter };
    } catch (error) {
      deadline.stop();
      if (error instanceof UnderstudyError) return { ...received, error, isRepeatable: false };
      return { ...received, error: connectionFailure(call, deadline, error), isRepeatable: true };
    }
  }

  #headers({ operation, accept, headers, body, idempotencyKey }: PreparedCall): Record<string, string> {
    const { token } = this.#configuration;
    return {
      Accept: accept,
      ...headers,
      ...USER_AGENT,
      ...(body && { 'Content-Type': body.contentType }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(token !== null && !operation.public && { Authorization: `Bearer ${token}` }),
    };
  }
}

function keyOf({ idempotencyKey }: KeyedCallOptions): string {
  if (idempotencyKey === undefined) return randomUuid();
  if (typeof idempotencyKey === 'string' && /^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    return idempotencyKey;
  throw new ConfigurationError('idempotencyKey: expected 1 to 255 visible ASCII characters without spaces');
}

/** A browser sends its own `User-Agent`. */
const USER_AGENT: Readonly<Record<string, string>> = userAgent();

function userAgent(): Record<string, string> {
  const versions = currentProcess().versions ?? {};
  for (const name of ['bun', 'deno', 'node'])
    if (versions[name] !== undefined)
      return { 'User-Agent': `understudy-typescript/${VERSION} (${name} ${versions[name]})` };
  return {};
}
