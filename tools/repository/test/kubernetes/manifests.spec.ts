import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';

import { CHARTS, readChart } from '../../src/kubernetes/chart.js';
import { manifestsOf, manifestsPath } from '../../src/kubernetes/manifests.js';
import { ROOT } from './rendered-charts.js';

describe('the charts', () => {
  it('have the version of Understudy', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const name of CHARTS)
      expect(readChart(ROOT, name)).toMatchObject({ name, version, appVersion: version });
  });
});

describeWith('the committed manifests', 'helm-charts', () => {
  it.each(CHARTS)('are those of the chart %s; `npm run generate` writes them', (chart) => {
    expect(readFileSync(join(ROOT, manifestsPath(chart)), 'utf8')).toBe(manifestsOf(ROOT, chart));
  });

  it('pass yamllint, as do the values', () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-yamllint-'));
    try {
      const files = CHARTS.flatMap((chart) => [manifestsPath(chart), `deploy/helm/${chart}/values.yaml`]);
      const lint = (paths: readonly string[]) =>
        execFileSync('yamllint', ['--strict', '--config-data', YAMLLINT, ...paths], {
          cwd: ROOT,
          encoding: 'utf8',
        });
      expect(lint(files)).toBe('');
      const bad = join(folder, 'bad.yaml');
      writeFileSync(bad, 'a: 1\na: 2\n');
      expect(() => lint([bad])).toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The default rules, except that a file may start without `---`, and that Kubernetes writes modes as octal numbers. */
const YAMLLINT = JSON.stringify({
  extends: 'default',
  rules: {
    'document-start': 'disable',
    'line-length': { max: 120 },
    braces: { 'max-spaces-inside': 1 },
    'comments-indentation': 'disable',
  },
});
