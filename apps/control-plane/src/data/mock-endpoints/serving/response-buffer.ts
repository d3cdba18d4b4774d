import type { MockResponses } from '../../compute/mocks/mock-responses.js';
import type { Refusal } from '../../compute/refusal.js';

/** One response of an endpoint: the body, or the problem of the schema. */
export type GeneratedResponse = { readonly seed: number } & (
  | { readonly body: Buffer }
  | { readonly refusal: Refusal }
);

/**
 * Generates one response for each seed, in order, until the time for a batch is used up.
 * @returns at least one response
 */
export type GenerateResponses = (seeds: readonly number[], nowMs: number) => Promise<MockResponses>;

const MAX_RESPONSES = 256;
const MAX_BYTES = 256 * 1024;
/**
 * The time for one batch, in milliseconds. A call waits at most this long for the responses to other calls.
 */
export const BATCH_MS = 8;
/**
 * If the latest response took longer than this, responses are generated one by one on demand, on any free
 * thread.
 */
const CHEAP_MS = 2;

/**
 * Prefetches responses for calls without options. Passing work to a thread costs more than generating a small
 * response, so a thread generates several in one batch. Each response has a seed of its own and is returned
 * to one call.
 */
export class ResponseBuffer {
  private ready: GeneratedResponse[] = [];
  private filling: Promise<void> | undefined;
  /** The size of the next batch. */
  private size = 1;
  private largest = 1;
  private nowMs = Number.NaN;
  private cheap = true;

  constructor(
    private readonly generate: GenerateResponses,
    private readonly newSeeds: (count: number) => readonly number[],
  ) {}

  /**
   * False if the latest responses took long or were large. Further responses should then not be prefetched.
   */
  get isWorthwhile(): boolean {
    return this.cheap;
  }

  /**
   * Adapts the batch size to the cost of the latest responses, which were generated in a batch or singly.
   * Each measurement replaces the previous one, because a single measurement can be far too high. For
   * example, a thread takes many times as long for its first response, or while other processes use the
   * processor.
   */
  adapt({ ms, bytes, responses: { length } }: MockResponses): void {
    const msOfOne = ms / length;
    const bytesOfOne = bytes.length / length;
    this.cheap = msOfOne <= CHEAP_MS && bytesOfOne <= MAX_BYTES / 8;
    const fitting = Math.min(BATCH_MS / msOfOne, MAX_BYTES / Math.max(1, bytesOfOne));
    this.largest = Math.max(1, Math.min(MAX_RESPONSES, Math.floor(fitting)));
  }

  /** @returns the response that `take` would return without a promise, or undefined if there is none */
  peek(nowMs: number): GeneratedResponse | undefined {
    return nowMs === this.nowMs ? this.ready.at(-1) : undefined;
  }

  /**
   * Takes a response out of the buffer.
   * @param nowMs the reference instant; buffered responses for another instant are discarded
   * @throws anything that `generate` throws
   */
  take(nowMs: number): GeneratedResponse | Promise<GeneratedResponse> {
    if (nowMs !== this.nowMs) {
      this.nowMs = nowMs;
      this.ready = [];
    }
    const response = this.ready.pop();
    if (response === undefined) return this.next(nowMs);
    // A failed prefetch has no caller to report to. The call that finds the buffer empty tries again.
    if (this.ready.length <= this.size / 2) this.fill().catch(() => undefined);
    return response;
  }

  private async next(nowMs: number): Promise<GeneratedResponse> {
    for (;;) {
      await this.fill();
      const response = nowMs === this.nowMs ? this.ready.pop() : undefined;
      if (response !== undefined) return response;
      if (nowMs !== this.nowMs) this.nowMs = nowMs;
    }
  }

  private fill(): Promise<void> {
    this.filling ??= this.generateBatch().finally(() => (this.filling = undefined));
    return this.filling;
  }

  private async generateBatch(): Promise<void> {
    const { nowMs } = this;
    const seeds = this.newSeeds(this.size);
    const generated = await this.generate(seeds, nowMs);
    if (nowMs === this.nowMs) this.ready.push(...toResponses(seeds, generated));
    this.adapt(generated);
    // A busy endpoint soon reaches the largest batch; a rarely called one keeps few responses.
    this.size = Math.min(this.size * 2, this.largest);
  }
}

/** Splits a batch into responses. The bodies share the memory of the batch. */
export function toResponses(
  seeds: readonly number[],
  { bytes, responses }: MockResponses,
): GeneratedResponse[] {
  let start = 0;
  return responses.map((response, index) => {
    const seed = seeds[index] ?? 0;
    if ('refusal' in response) return { seed, refusal: response.refusal };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset + start, response.end - start);
    start = response.end;
    return { seed, body };
  });
}
