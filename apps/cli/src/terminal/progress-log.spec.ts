import { ProgressLog } from './progress-log.js';

describe('ProgressLog', () => {
  it('writes a line every ten seconds, and none before', () => {
    const written: string[] = [];
    const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
    let now = 1_000;
    const log = new ProgressLog({ write } as Pick<NodeJS.WriteStream, 'write'>, () => now);
    for (; now <= 31_000; now += 1_000) {
      log.show(() => `at ${now / 1_000} s`);
      log.clear();
    }
    expect(written).toEqual(['at 11 s\n', 'at 21 s\n', 'at 31 s\n']);
  });
});
