import { BUDGETS, GenerationError } from '../index.js';
import { ValueMeter } from './value-meter.js';

const OVER = expect.objectContaining({ code: 'limit_exceeded', path: 'it' });

describe('ValueMeter', () => {
  it('accepts 100,000 leaves per record and refuses one more', () => {
    const meter = new ValueMeter();
    const half = new Array<number>(BUDGETS.leafValuesPerRecord / 2).fill(1);
    meter.addLeaves([half, { half }], 'it');
    expect(() => meter.addLeaves([], 'it')).toThrow(OVER);
    meter.startRecord();
    meter.addLeaves(null, 'it');
  });

  it('accepts 10,000,000 leaves per request and refuses one more', () => {
    const meter = new ValueMeter();
    const record = new Array<number>(BUDGETS.leafValuesPerRecord).fill(1);
    for (let i = 0; i < BUDGETS.leafValuesPerRequest / BUDGETS.leafValuesPerRecord; i += 1) {
      meter.startRecord();
      meter.addLeaves(record, 'it');
    }
    meter.startRecord();
    expect(() => meter.addLeaves(1, 'it')).toThrow(GenerationError);
  });

  it('counts from the start of the latest request', () => {
    const meter = new ValueMeter();
    const record = new Array<number>(BUDGETS.leafValuesPerRecord).fill(1);
    for (let request = 0; request < 3; request += 1) {
      meter.startRequest();
      for (let i = 0; i < BUDGETS.leafValuesPerRequest / BUDGETS.leafValuesPerRecord; i += 1) {
        meter.startRecord();
        meter.addLeaves(record, 'it');
      }
    }
    meter.startRecord();
    expect(() => meter.addLeaves(1, 'it')).toThrow(OVER);
  });

  it('counts items separately from leaves, and starts again for every cell', () => {
    const meter = new ValueMeter();
    for (let i = 0; i < BUDGETS.leafValuesPerRecord; i += 1) meter.addItem('it');
    meter.addLeaves(1, 'it');
    expect(() => meter.addItem('it')).toThrow(OVER);
    meter.startCell();
    meter.addItem('it');
  });

  it('accepts 4 Mi characters of text and keys per record and refuses one more', () => {
    const meter = new ValueMeter();
    const text = 'x'.repeat(BUDGETS.textPerRecord / 4);
    meter.addLeaves([text, { [text]: text }], 'it');
    meter.addLeaves(text, 'it');
    expect(() => meter.addLeaves({ a: 1 }, 'it')).toThrow(OVER);
    meter.startRecord();
    meter.addLeaves(text, 'it');
  });

  it(
    'accepts 100,000,000 candidates of conditions per request and refuses one more, and starts ' +
      'again for every cell',
    () => {
      const meter = new ValueMeter();
      meter.addCandidates(BUDGETS.candidatesPerRequest - 1, 'it');
      meter.startRecord();
      meter.addCandidates(1, 'it');
      expect(() => meter.addCandidates(1, 'it')).toThrow(OVER);
      meter.startCell();
      meter.addCandidates(BUDGETS.candidatesPerRequest, 'it');
    },
  );
});
