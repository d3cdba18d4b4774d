import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../support/languages.js';
import { defineNativeTests, linesOf, readJUnit, runProgram } from '../support/native-tests.js';

const settings = { folder: join(ROOT, 'clients/php') };

defineNativeTests({
  ...settings,
  title: 'the tests of the client for PHP',
  toolchain: 'php-client',
  list: () =>
    linesOf(['phpunit', '--list-tests'], settings).flatMap((line) => /^- (\S.*)$/.exec(line)?.[1] ?? []),
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-phpunit-'));
    const report = join(folder, 'report.xml');
    try {
      await runProgram(['phpunit', '--log-junit', report], settings);
      return readJUnit(readFileSync(report, 'utf8')).map((each) => {
        const { class: group = '', name = '' } = each.attributes;
        return { ...each, name: `${group}::${name.replace(' with data set ', '')}` };
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  programs: [
    {
      title: 'composer validate',
      command: ['composer', 'validate', '--strict', '--no-interaction', '--no-check-lock', 'composer.json'],
    },
  ],
});
