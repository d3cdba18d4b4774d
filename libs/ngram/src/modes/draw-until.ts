import { AttemptsExhaustedError } from '../errors.js';
import { MAX_ATTEMPTS } from '../sampling/word-plan.js';

/** The first draw that is acceptable. @throws AttemptsExhaustedError */
export function drawUntil(isAcceptable: (text: string) => boolean, draw: () => string): string {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const text = draw();
    if (isAcceptable(text)) return text;
  }
  throw new AttemptsExhaustedError(MAX_ATTEMPTS);
}
