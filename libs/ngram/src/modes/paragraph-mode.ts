import type { RandomStream } from '@understudy/random';
import { TextTooLongError } from '../errors.js';
import { Histogram } from '../model/histogram.js';
import { checkCount, codePoints } from './check-parameter.js';
import { drawUntrained } from './original-lookup.js';
import type { LinePlan } from './lines/line-plan.js';
import { LONGEST_TEXT, MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import type { ModeSite } from './mode-site.js';
import { SentencePlan } from './sentence-plan.js';
import { FULL_STOP } from './sentence-mode.js';

/** The number of sentences per paragraph if the model was not trained on prose: 3 to 6. */
const DEFAULT_PARAGRAPH_SENTENCES = new Histogram(Uint32Array.of(3, 1, 4, 2, 5, 2, 6, 1));

/** Generates sentences that are separated by spaces. */
export function compileParagraph(site: ModeSite, parameters: ModeParameters['paragraph']): LinePlan {
  const { sentenceCount } = parameters;
  const count =
    sentenceCount === undefined
      ? undefined
      : checkCount(sentenceCount, 'sentence_count', MODE_LIMITS.sentenceCount);
  const first = site.line({ startsWith: site.startsWith(parameters.startsWith) });
  return new ParagraphPlan(
    new SentencePlan(first, [FULL_STOP], site.isOriginal),
    new SentencePlan(site.line({}), [FULL_STOP], site.isOriginal),
    count,
    site,
  );
}

class ParagraphPlan implements LinePlan {
  constructor(
    private readonly first: LinePlan,
    private readonly next: LinePlan,
    /** The number of sentences. If undefined, a number is drawn for each paragraph. */
    private readonly count: number | undefined,
    private readonly site: ModeSite,
  ) {}

  get byteLength(): number {
    return this.first.byteLength + this.next.byteLength;
  }

  sample(random: RandomStream): string {
    return drawUntrained(this.site.isOriginal, () => this.draw(random));
  }

  private draw(random: RandomStream): string {
    const count = this.count ?? this.drawCount(random);
    let text = this.first.sample(random);
    let length = codePoints(text);
    for (let sentences = 1; sentences < count; sentences += 1) {
      const sentence = this.next.sample(random);
      length += 1 + codePoints(sentence);
      if (length > LONGEST_TEXT) throw new TextTooLongError(LONGEST_TEXT);
      text += ` ${sentence}`;
    }
    return text;
  }

  /**
   * Draws the number of sentences from the distribution in the training text. Limits it to the maximum of the
   * parameter `sentenceCount`.
   */
  private drawCount(random: RandomStream): number {
    const learned = this.site.model.statistics.paragraphSentences ?? DEFAULT_PARAGRAPH_SENTENCES;
    return Math.min(learned.quantile(random.float53()), MODE_LIMITS.sentenceCount);
  }
}
