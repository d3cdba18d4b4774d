import type { FieldProblem } from '../generated/types.js';
import { detailsOf } from '../transport/response.js';
import type { ByteStream } from './byte-stream.js';

/** Options of the methods that generate records. */
export interface GenerateOptions {
  /** The random seed. By default, the server chooses one. */
  readonly seed?: number | undefined;
  /** The time to which relative dates refer (ISO 8601). Default: the start of the current UTC day. */
  readonly now?: string | undefined;
  /** The longest time until the first byte, and between two reads, in seconds. */
  readonly timeout?: number | undefined;
  /** The number of attempts after the first one. A call is repeated only until the first byte. */
  readonly maxRetries?: number | undefined;
  /** Ends the call. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Facts about generated records from the server. The same seed, `now` and engine give the same records. */
export interface GenerationInfo {
  readonly seed: number | undefined;
  /** The number of records. */
  readonly count: number;
  readonly now: string | undefined;
  readonly engineVersion: string | undefined;
  /** Constraints that have no effect, and generators that may run out of values. */
  readonly warnings: readonly FieldProblem[];
}

/** @param requested the requested number of records, used if the server or a proxy omits the header */
export function readGenerationInfo({ headers, shown }: ByteStream, requested: number): GenerationInfo {
  return {
    seed: integer(headers.get('x-generation-seed')),
    count: integer(headers.get('x-generation-count')) ?? requested,
    now: headers.get('x-generation-now') ?? undefined,
    engineVersion: headers.get('x-generation-engine-version') ?? undefined,
    warnings: detailsOf(parsed(headers.get('x-generation-warning-details') ?? '[]'), shown),
  };
}

const integer = (text: string | null): number | undefined =>
  text !== null && /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return []; // records are worth more than their warnings
  }
}
