import { UnsatisfiableError } from '../errors.js';
import { checkText } from './check-parameter.js';
import type { LinePlan } from './lines/line-plan.js';
import { MODE_LIMITS, type ModeParameters } from './mode-parameters.js';
import type { ModeSite } from './mode-site.js';
import { verseWords } from './poem-mode.js';
import { VersesPlan } from './verses-plan.js';

/**
 * Generates one line for each initial. The line starts with the initial exactly as given: with `a`
 * even if the model starts lines only with `A`.
 * @throws UnsatisfiableError that names an initial with which the model starts no line
 */
export function compileAcrostic(site: ModeSite, parameters: ModeParameters['acrostic']): LinePlan {
  const initials = [...checkText(parameters.initials ?? '', 'initials', MODE_LIMITS.initials)];
  const words = verseWords(parameters.maxWords);
  const plans = new Map<string, LinePlan>();
  initials.forEach((initial, i) => {
    if (!plans.has(initial)) plans.set(initial, compileInitial(site, initial, i, words));
  });
  const lines = initials.map((initial) => plans.get(initial) as LinePlan);
  return new VersesPlan(lines, Infinity, site.isOriginal);
}

function compileInitial(
  site: ModeSite,
  initial: string,
  index: number,
  words: ReturnType<typeof verseWords>,
): LinePlan {
  try {
    return site.line({ startsWith: initial, startParameter: 'initials', words });
  } catch (error) {
    if (!(error instanceof UnsatisfiableError) || error.parameter === 'exclude_originals') throw error;
    throw new UnsatisfiableError(`no line of the model starts with initial ${index + 1}`, 'initials');
  }
}
