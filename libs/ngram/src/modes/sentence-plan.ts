import type { RandomStream } from '@understudy/random';
import { TextTooLongError } from '../errors.js';
import { codePoints } from './check-parameter.js';
import { drawUntrained, type OriginalLookup } from './original-lookup.js';
import type { LinePlan } from './lines/line-plan.js';
import { LONGEST_TEXT } from './mode-parameters.js';

/** Generates sentences: a drawn line, followed by a final mark. */
export class SentencePlan implements LinePlan {
  /**
   * @param marks one of them is picked for each sentence
   * @param isOriginal undefined if sentences may be training values
   */
  constructor(
    private readonly line: LinePlan,
    private readonly marks: readonly string[],
    private readonly isOriginal: OriginalLookup | undefined,
  ) {}

  get byteLength(): number {
    return this.line.byteLength;
  }

  sample(random: RandomStream): string {
    // A line that is not a training value can become one when its mark is added.
    return drawUntrained(this.isOriginal, () => this.draw(random));
  }

  private draw(random: RandomStream): string {
    const { marks } = this;
    const line = this.line.sample(random);
    const text = line + (marks[marks.length > 1 ? random.below(marks.length) : 0] ?? '');
    if (text.length > LONGEST_TEXT && codePoints(text) > LONGEST_TEXT)
      throw new TextTooLongError(LONGEST_TEXT);
    return text;
  }
}
