import { UploadMemory } from './upload-memory.js';

describe('UploadMemory', () => {
  it('gives one organisation at most half of the memory', () => {
    const memory = new UploadMemory(100);
    const [a, b, c] = ['a', 'b', 'c'].map((organization) => memory.open(organization));
    expect([a?.take(50), a?.take(1), b?.take(50), c?.take(1)]).toEqual([true, false, true, false]);
  });

  it('counts all uploads of an organisation, and releases each of them once', () => {
    const memory = new UploadMemory(100);
    const first = memory.open('a');
    const second = memory.open('a');
    expect([first.take(30), second.take(20), second.take(1)]).toEqual([true, true, false]);
    first.release();
    first.release();
    expect([second.take(30), second.take(1)]).toEqual([true, false]);
  });
});
