import type { RandomStream } from '@understudy/random';
import { UnsatisfiableError } from '../errors.js';
import { checkConstraints } from '../sampling/constraints/word-constraints.js';
import { checkCount, checkText, codePoints } from './check-parameter.js';
import { drawUntrained } from './original-lookup.js';
import type { LinePlan } from './lines/line-plan.js';
import { MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import type { ModeSite } from './mode-site.js';
import { SentencePlan } from './sentence-plan.js';
import { FULL_STOP } from './sentence-mode.js';

const DEFAULT_MAX_CHARS = 200;

/**
 * Generates one sentence, then adds sentences as long as the text and the suffix fit into the maximum length.
 * Appends the suffix.
 */
export function compileText(site: ModeSite, parameters: ModeParameters['text']): LinePlan {
  const asked = checkCount(parameters.maxChars ?? DEFAULT_MAX_CHARS, 'max_chars', MODE_LIMITS.maxChars);
  const { maxLength } = site.constraints;
  const maxChars = Math.min(asked, checkConstraints(maxLength === undefined ? {} : { maxLength }).maxLength);
  const suffix = checkText(parameters.suffix ?? '', 'suffix', MODE_LIMITS.suffix);
  const room = maxChars - codePoints(suffix);
  if (room < 1 + FULL_STOP.length) {
    throw new UnsatisfiableError('max_chars leaves no room for a sentence and the suffix', 'max_chars');
  }
  const startsWith = site.startsWith(parameters.startsWith);
  const first = site.line({ startsWith, maxLength: room - FULL_STOP.length });
  return new TextPlan(
    new SentencePlan(first, [FULL_STOP], site.isOriginal),
    new SentencePlan(site.line({}), [FULL_STOP], site.isOriginal),
    room,
    suffix,
    site,
  );
}

class TextPlan implements LinePlan {
  constructor(
    private readonly first: LinePlan,
    private readonly next: LinePlan,
    /** The maximum length of all sentences together, in code points and without the suffix. */
    private readonly room: number,
    private readonly suffix: string,
    private readonly site: ModeSite,
  ) {}

  get byteLength(): number {
    return this.first.byteLength + this.next.byteLength;
  }

  sample(random: RandomStream): string {
    return drawUntrained(this.site.isOriginal, () => this.draw(random));
  }

  private draw(random: RandomStream): string {
    let text = this.first.sample(random);
    let length = codePoints(text);
    for (;;) {
      const sentence = this.next.sample(random);
      length += 1 + codePoints(sentence);
      if (length > this.room) return text + this.suffix;
      text += ` ${sentence}`;
    }
  }
}
