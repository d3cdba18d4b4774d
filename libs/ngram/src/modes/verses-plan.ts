import type { RandomStream } from '@understudy/random';
import { TextTooLongError } from '../errors.js';
import { codePoints } from './check-parameter.js';
import { drawUntrained, type OriginalLookup } from './original-lookup.js';
import type { LinePlan } from './lines/line-plan.js';
import { LONGEST_TEXT } from './mode-parameters.js';

/** Generates lines that are separated by line breaks, with blank lines between stanzas. */
export class VersesPlan implements LinePlan {
  /**
   * @param lines a plan for each line; a plan may occur several times
   * @param stanzaLength the number of lines before a blank line
   * @param isOriginal undefined if the whole text may be a training value
   */
  constructor(
    private readonly lines: readonly LinePlan[],
    private readonly stanzaLength: number,
    private readonly isOriginal: OriginalLookup | undefined,
  ) {}

  get byteLength(): number {
    return [...new Set(this.lines)].reduce((sum, line) => sum + line.byteLength, 0);
  }

  sample(random: RandomStream): string {
    return drawUntrained(this.lines.length === 0 ? undefined : this.isOriginal, () => this.draw(random));
  }

  private draw(random: RandomStream): string {
    let text = '';
    let length = 0;
    this.lines.forEach((plan, i) => {
      const gap = i === 0 ? '' : i % this.stanzaLength === 0 ? '\n\n' : '\n';
      const line = plan.sample(random);
      length += gap.length + codePoints(line);
      if (length > LONGEST_TEXT) throw new TextTooLongError(LONGEST_TEXT);
      text += gap + line;
    });
    return text;
  }
}
