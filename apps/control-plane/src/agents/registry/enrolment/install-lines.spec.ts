import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installLines, PACKAGE_VERSION } from './install-lines.js';

const WAYS = ['npm', 'container', 'helm'] as const;

it('PACKAGE_VERSION equals the version in package.json', () => {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8'),
  ) as {
    version: string;
  };
  expect(PACKAGE_VERSION).toBe(version);
});

describe('the lines that install an agent', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-lines-'));
    for (const program of ['sudo', 'docker', 'kubectl', 'helm']) {
      const file = join(folder, program);
      writeFileSync(
        file,
        `#!/bin/sh\nfor word in ${program} "$@"; do printf '%s\\0' "$word"; done\ncat > stdin\n`,
      );
      chmodSync(file, 0o700);
    }
    writeFileSync(join(folder, 'policy.yaml'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a line as a user pastes it. Returns the words that its program gets, and their standard input. */
  const paste = (line: string | undefined, input: string) => {
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    // A file, because some lines end without reading their input, which breaks a pipe.
    writeFileSync(join(folder, 'input'), input);
    const file = openSync(join(folder, 'input'), 'r');
    const stdio = [file, 'pipe', 'inherit'] as const;
    try {
      const words = execFileSync('sh', ['-c', line ?? 'exit 1'], {
        cwd: folder,
        env,
        stdio: [...stdio],
        encoding: 'utf8',
      });
      return { words: words.split('\0').slice(0, -1), stdin: readFileSync(join(folder, 'stdin'), 'utf8') };
    } finally {
      closeSync(file);
    }
  };

  it.each(WAYS)('name the control plane and read the token from standard input, for %s', (way) => {
    const runs = installLines('https://understudy.example.com')[way].map((line) =>
      paste(line, 'secret\nnext\n'),
    );
    expect(JSON.stringify(runs.map(({ words }) => words))).toContain('https://understudy.example.com/v1');
    expect(runs.some(({ stdin }) => stdin.startsWith('secret\n'))).toBe(true);
  });

  it('give the chart one line, so that text that follows the token stays out of the secret', () => {
    expect(paste(installLines('https://a.example').helm[0], 'secret\nnext\n').stdin).toBe('secret\n');
  });

  it.each([
    ['a command', "https://a.example/$(touch made)`touch made`';touch made;'"],
    ['a line break', 'https://a.example/a\nb; touch made'],
    ['a second value of the chart', 'https://a.example/a,image.repository=evil'],
  ])('pass a URL with %s as one argument', (_, url) => {
    const { npm, container, helm } = installLines(url);
    const expected = `${new URL(url).href}/v1`;
    for (const line of [...npm, ...container, ...helm]) expect(line).not.toMatch(/[\n\r]/);
    expect(paste(npm[1], '').words).toEqual([
      'sudo',
      'understudy-agent',
      'service',
      'install',
      '--control-url',
      expected,
    ]);
    expect(paste(container[2], '').words).toContain(`UNDERSTUDY_CONTROL_URL=${expected}`);
    expect(paste(helm[1], '').words.at(-1)).toBe(`controlPlane.url=${expected.replaceAll(',', '\\,')}`);
  });

  it('keep the path of a URL and lose its last slashes', () => {
    expect(installLines('https://a.example/understudy//').npm[1]).toMatch(
      / https:\/\/a\.example\/understudy\/v1$/,
    );
  });
});
