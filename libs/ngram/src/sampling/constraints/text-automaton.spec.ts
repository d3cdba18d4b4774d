import fc from 'fast-check';
import { TextAutomaton } from './text-automaton.js';

const symbols = (options: { minLength?: number; maxLength: number }) =>
  fc.array(fc.integer({ min: 1, max: 3 }), options);

function run(automaton: TextAutomaton, input: readonly number[]): boolean {
  return input.reduce((state, symbol) => automaton.next(state, symbol), 0) === automaton.accepting;
}

describe('TextAutomaton', () => {
  test('accepts texts that contain its text with `stays`, otherwise texts that end with it', () => {
    fc.assert(
      fc.property(symbols({ maxLength: 6 }), symbols({ maxLength: 20 }), (text, input) => {
        const needle = text.join('');
        expect(run(new TextAutomaton(text, true), input)).toBe(input.join('').includes(needle));
        expect(run(new TextAutomaton(text, false), input)).toBe(input.join('').endsWith(needle));
      }),
      { seed: 2, numRuns: 2000 },
    );
  });
});
