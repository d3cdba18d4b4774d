import { renderText } from '../render-text.js';
import { spend } from '../work-budget.js';

/** An argument as text: as it would be written in a template. Its characters are spent from the budget. */
export function text(value: unknown): string {
  const written = typeof value === 'string' ? value : renderText(value);
  spend(written.length);
  return written;
}
