import { readModel } from '../file/read-model.js';
import type { NgramModel } from '../model/ngram-model.js';
import { NgramTrainer } from '../training/ngram-trainer.js';
import type { TrainOptions } from '../training/train-options.js';
import { logProbability } from './log-probability.js';
import { nextSymbols } from './next-symbols.js';

function learned(values: Readonly<Record<string, number>>, options: Partial<TrainOptions> = {}): NgramModel {
  const trainer = new NgramTrainer({ order: 3, name: 'n', locale: 'xx', originals: 'none', ...options });
  for (const [value, weight] of Object.entries(values)) trainer.add(value, weight);
  return readModel(trainer.finish());
}

describe('nextSymbols', () => {
  const model = learned({ anna: 6, ann: 3, bo: 1 });

  test('returns the first symbols for an empty prefix, the most probable first', () => {
    expect(nextSymbols(model, '')).toEqual({
      prefix: '',
      isWhole: true,
      symbols: [
        { text: 'a', probability: 0.9 },
        { text: 'b', probability: 0.1 },
      ],
    });
  });

  test('contains the end of the value as an entry without a text', () => {
    const { symbols } = nextSymbols(model, 'ann');
    expect(symbols.map(({ text }) => text)).toEqual(['a', undefined]);
    expect(symbols[0]?.probability).toBeCloseTo(2 / 3, 12);
  });

  test('stops at the longest beginning that the model generates', () => {
    expect(nextSymbols(model, 'anx')).toMatchObject({ prefix: 'an', isWhole: false });
    expect(nextSymbols(model, 'xyz')).toMatchObject({ prefix: '', isWhole: false });
  });

  test('applies the case folding of the model', () => {
    const folded = learned({ Anna: 1 }, { caseFolding: 'lower' });
    expect(nextSymbols(folded, 'AN')).toMatchObject({ prefix: 'an', isWhole: true });
  });

  test('takes complete words for a model of words', () => {
    const words = learned({ 'one two': 1, 'one three': 3 }, { tokenType: 'word', order: 2 });
    const { prefix, symbols } = nextSymbols(words, ' one ');
    expect(prefix).toBe('one');
    expect(symbols).toEqual([
      { text: 'three', probability: 0.75 },
      { text: 'two', probability: 0.25 },
    ]);
  });

  test('has probabilities whose product is that of the whole value', () => {
    const steps = ['', 'a', 'an', 'ann', 'anna'].map((prefix, index) => {
      const next = 'anna'[index];
      return nextSymbols(model, prefix).symbols.find(({ text }) => text === next)?.probability ?? 0;
    });
    const product = steps.reduce((all, probability) => all * probability, 1);
    expect(product).toBeCloseTo(Math.exp(logProbability(model, 'anna')), 12);
  });
});
