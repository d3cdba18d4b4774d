import { ProgressLine } from './progress-line.js';

function terminalOf(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  return { written, terminal: { isTTY, write } as Pick<NodeJS.WriteStream, 'write' | 'isTTY'> };
}

describe('ProgressLine', () => {
  it('overwrites one line at most five times a second and erases it at the end', () => {
    const { written, terminal } = terminalOf(true);
    let now = 1_000;
    const progress = new ProgressLine(terminal, () => now);
    for (let i = 0; i < 10; i += 1, now += 100) progress.show(() => `${i}`);
    progress.clear();
    progress.clear();
    expect(written).toEqual([...[0, 2, 4, 6, 8].map((i) => `\r\x1b[K${i}`), '\r\x1b[K']);
  });

  it('writes nothing if the stream is not a terminal', () => {
    const { written, terminal } = terminalOf(false);
    const progress = new ProgressLine(terminal);
    progress.show(() => 'x');
    progress.clear();
    expect(written).toEqual([]);
  });
});
