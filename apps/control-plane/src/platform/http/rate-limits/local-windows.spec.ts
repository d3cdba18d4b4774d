import { LocalWindows } from './local-windows.js';

describe('LocalWindows', () => {
  it('counts the points of each key, and subtracts points that are returned', () => {
    const windows = new LocalWindows(60_000, () => 0);
    windows.spend('a');
    windows.spend('a', 3);
    windows.spend('b');
    expect([windows.read('a').spent, windows.read('b').spent, windows.read('c').spent]).toEqual([4, 1, 0]);
    expect([windows.spend('a', -1).spent, windows.spend('b', -9).spent]).toEqual([3, 0]);
  });

  it('starts a window with its first point, and ends it after a fixed time', () => {
    let now = 1_000;
    const windows = new LocalWindows(60_000, () => now);
    windows.spend('a');
    now += 59_999;
    expect(windows.read('a')).toEqual({ spent: 1, endsInMs: 1 });
    now += 1;
    expect(windows.read('a')).toEqual({ spent: 0, endsInMs: 60_000 });
  });

  it('puts further keys into one shared window after the maximum number of keys', () => {
    let now = 0;
    const windows = new LocalWindows(60_000, () => now);
    for (let i = 0; i < 10_000; i++) windows.spend(`key ${i}`);
    windows.spend('one more');
    windows.spend('another one');
    expect([windows.read('a third one').spent, windows.read('key 0').spent]).toEqual([2, 1]);
    now = 60_000;
    expect(windows.read('a third one').spent).toBe(0);
  });
});
