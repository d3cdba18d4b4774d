import type { MockAnswers } from '../../compute/mocks/mock-answers.js';
import type { Refusal } from '../../compute/refusal.js';

/** One answer of an endpoint: the body, or why the schema gave none. */
export type MadeAnswer = { readonly seed: number } & (
  { readonly body: Buffer } | { readonly refusal: Refusal }
);

/** @returns the answers of as many of the seeds as there was time for, at least one */
export type MakeAnswers = (seeds: readonly number[], nowMs: number) => Promise<MockAnswers>;

const MAX_ANSWERS = 256;
const MAX_BYTES = 256 * 1024;
/** What making one batch may take: so long a call waits at most for others' answers. */
export const BATCH_MS = 8;
/** Answers that were dearer when last one was made are made one by one, each when it is asked for, on whatever thread is free. */
const CHEAP_MS = 2;

/**
 * Answers made ahead, for calls that leave everything to the endpoint. Handing work to a thread costs more than making a
 * small answer, so a thread makes several at once; each has a seed of its own and is given to one call.
 */
export class AnswerStock {
  private ready: MadeAnswer[] = [];
  private filling: Promise<void> | undefined;
  /** Of the next batch. */
  private size = 1;
  private largest = 1;
  private nowMs = Number.NaN;
  private cheap = true;

  constructor(
    private readonly make: MakeAnswers,
    private readonly drawSeeds: (count: number) => readonly number[],
  ) {}

  /** False while answers take long or are large: then there is no use in asking for a batch. */
  get isWorthwhile(): boolean {
    return this.cheap;
  }

  /**
   * Told of all answers that are made to calls of the same kind, in batches or singly. The last word counts: the first answer of
   * a thread, and any that another program keeps from the processor, takes many times as long as the next.
   */
  learn({ ms, bytes, answers: { length } }: MockAnswers): void {
    const msOfOne = ms / length;
    const bytesOfOne = bytes.length / length;
    this.cheap = msOfOne <= CHEAP_MS && bytesOfOne <= MAX_BYTES / 8;
    const fitting = Math.min(BATCH_MS / msOfOne, MAX_BYTES / Math.max(1, bytesOfOne));
    this.largest = Math.max(1, Math.min(MAX_ANSWERS, Math.floor(fitting)));
  }

  /** @returns what `take` would give at once, if anything */
  peek(nowMs: number): MadeAnswer | undefined {
    return nowMs === this.nowMs ? this.ready.at(-1) : undefined;
  }

  /** @param nowMs the reference instant; answers made for another one are thrown away. @throws what `make` does */
  take(nowMs: number): MadeAnswer | Promise<MadeAnswer> {
    if (nowMs !== this.nowMs) {
      this.nowMs = nowMs;
      this.ready = [];
    }
    const answer = this.ready.pop();
    if (answer === undefined) return this.next(nowMs);
    // Who fails ahead of time has nobody to tell; the call that finds nothing tries again.
    if (this.ready.length <= this.size / 2) this.fill().catch(() => undefined);
    return answer;
  }

  private async next(nowMs: number): Promise<MadeAnswer> {
    for (;;) {
      await this.fill();
      const answer = nowMs === this.nowMs ? this.ready.pop() : undefined;
      if (answer !== undefined) return answer;
      if (nowMs !== this.nowMs) this.nowMs = nowMs;
    }
  }

  private fill(): Promise<void> {
    this.filling ??= this.makeBatch().finally(() => (this.filling = undefined));
    return this.filling;
  }

  private async makeBatch(): Promise<void> {
    const { nowMs } = this;
    const seeds = this.drawSeeds(this.size);
    const made = await this.make(seeds, nowMs);
    if (nowMs === this.nowMs) this.ready.push(...toAnswers(seeds, made));
    this.learn(made);
    // Whoever is called often comes to the largest batch soon; whoever is not keeps few.
    this.size = Math.min(this.size * 2, this.largest);
  }
}

/** The bodies share the memory of the batch. */
export function toAnswers(seeds: readonly number[], { bytes, answers }: MockAnswers): MadeAnswer[] {
  let start = 0;
  return answers.map((answer, index) => {
    const seed = seeds[index] ?? 0;
    if ('refusal' in answer) return { seed, refusal: answer.refusal };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset + start, answer.end - start);
    start = answer.end;
    return { seed, body };
  });
}
