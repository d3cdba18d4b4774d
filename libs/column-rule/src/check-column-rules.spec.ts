import { checkColumnRules } from './index.js';

function problemsOf(patterns: Readonly<Record<string, string>>): readonly object[] {
  const columns = Object.fromEntries(
    Object.entries(patterns).map(([name, pattern]) => [name, { generator: 'template', pattern }]),
  );
  return checkColumnRules([{ path: 'columns', columns }], { nowMs: 0, models: () => undefined }).problems;
}

describe('rules that read other columns', () => {
  it('are accepted if they form no cycle', () => {
    expect(problemsOf({ a: '{{b}}{{c}}', b: '{{c}}', c: 'x' })).toEqual([]);
  });

  it('are refused with the path of the cycle, at its first column', () => {
    expect(problemsOf({ a: '{{b}}', b: '{{c}}', c: '{{a}}' })).toEqual([
      { field: 'columns.a', message: 'refers to itself: a → b → c → a' },
    ]);
  });

  it('are refused at a column of the cycle, and not at a column that leads into it', () => {
    expect(problemsOf({ a: '{{b}}', b: '{{b}}' })).toEqual([
      { field: 'columns.b', message: 'refers to itself: b → b' },
    ]);
    expect(problemsOf({ a: '{{c}}', b: '{{c}}', c: '{{d}}', d: '{{c}}' })).toEqual([
      { field: 'columns.c', message: 'refers to itself: c → d → c' },
    ]);
  });

  it('are all refused if there are several cycles', () => {
    expect(problemsOf({ a: '{{a}}', b: '{{c}}', c: '{{b}}' })).toEqual([
      { field: 'columns.a', message: 'refers to itself: a → a' },
      { field: 'columns.b', message: 'refers to itself: b → c → b' },
    ]);
  });

  it('are refused with a short message if the cycle is long', () => {
    const long = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`c${i}`, `{{c${(i + 1) % 100}}}`]),
    );
    expect(problemsOf(long)).toEqual([
      {
        field: 'columns.c0',
        message: 'refers to itself: c0 → c1 → c2 → c3 → c4 → c5 → c6 → c7 → c8 → c9 → … → c0',
      },
    ]);
  });
});
