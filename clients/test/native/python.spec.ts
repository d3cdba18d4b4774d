import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MYPY_CACHE_DIR, ROOT } from '../support/languages.js';
import {
  defineNativeTests,
  linesOf,
  readJUnit,
  runProgram,
  type JUnitCase,
} from '../support/native-tests.js';

const PYTHON = '/usr/bin/python3';
const settings = {
  folder: join(ROOT, 'clients/python'),
  env: { PYTHONDONTWRITEBYTECODE: '1', MYPY_CACHE_DIR },
};
const PYTEST = [PYTHON, '-m', 'pytest', '-q', '-p', 'no:cacheprovider'] as const;

/** The name that pytest lists: `tests/test_x.py::TestClass::test_y[value]`. */
function nameOf({ attributes }: JUnitCase): string {
  const { file = '', classname = '', name = '' } = attributes;
  const classes = classname.split('.').slice(file.split('/').length);
  return [file, ...classes, name].join('::');
}

defineNativeTests({
  ...settings,
  title: 'the tests of the client for Python',
  toolchain: 'python-client',
  list: () => linesOf([...PYTEST, '--collect-only'], settings).filter((line) => line.includes('::')),
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-pytest-'));
    const report = join(folder, 'report.xml');
    try {
      await runProgram([...PYTEST, `--junitxml=${report}`, '-o', 'junit_family=xunit1'], settings);
      return readJUnit(readFileSync(report, 'utf8')).map((each) => ({ ...each, name: nameOf(each) }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  programs: [{ title: 'mypy --strict', command: [PYTHON, '-m', 'mypy', '--strict', 'src'] }],
});
