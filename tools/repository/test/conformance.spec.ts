import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { conformanceFaults } from '../src/conformance/check-conformance.js';
import { conformancePage } from '../src/conformance/conformance-page.js';
import { SUITE } from '../src/conformance/find-tests.js';
import type { Requirement } from '../src/conformance/requirement.js';
import { REQUIREMENTS, SECTIONS } from '../src/conformance/requirements.js';

const root = join(__dirname, '../../..');

describe('the requirements', () => {
  it('and their tests have each other', () => {
    expect(conformanceFaults(root)).toEqual([]);
  });

  it('have ids of their own, numbered from 1 without a gap', () => {
    const sections = SECTIONS.map(({ number }) => number);
    expect(new Set(sections).size).toBe(sections.length);
    for (const { number, requirements } of SECTIONS) {
      const numbers = Object.keys(requirements).map(Number);
      expect([number, numbers]).toEqual([number, numbers.map((_, i) => i + 1)]);
    }
  });

  it('are all on the page, each with its state', () => {
    const page = conformancePage(root);
    for (const id of REQUIREMENTS.keys())
      expect(page).toMatch(new RegExp(`^\\| ${id.replaceAll('.', '\\.')} \\| .* \\| (covered|deviation|open) \\| .+ \\|$`, 'm')); // prettier-ignore
  });
});

describe('the check of requirements', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-conformance-'));
    write(`${SUITE}/things.spec.ts`, "requirement('1.1', async () => {});\nrequirement(\n  '1.2',\n  async () => {},\n);\n"); // prettier-ignore
    write('libs/a.spec.ts', "it('does it', () => {});\nit(\"says 'no'\", () => {});");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  const faults = (requirements: Record<string, Requirement>) =>
    conformanceFaults(folder, new Map(Object.entries(requirements)));
  const both: Record<string, Requirement> = { '1.1': 'a', '1.2': { says: 'b', seen: 'c' } };

  it('passes tests here and there', () => {
    const elsewhere = { says: 'c', file: 'libs/a.spec.ts', test: 'does it' };
    const quoted = { ...elsewhere, test: "says 'no'" };
    expect(faults({ ...both, '1.3': elsewhere, '1.4': quoted, '1.5': { says: 'd', open: 'e' } })).toEqual([]);
  });

  it('notices a requirement without a test', () => {
    expect(faults({ ...both, '1.3': 'c' })).toEqual([`requirement 1.3 has no test in ${SUITE}`]);
  });

  it('notices a test that was commented out', () => {
    write(`${SUITE}/more.spec.ts`, "// requirement('1.3', async () => {});\n");
    expect(faults({ ...both, '1.3': 'c' })).toEqual([`requirement 1.3 has no test in ${SUITE}`]);
  });

  it('notices a test without a requirement, and two of one', () => {
    write(`${SUITE}/more.spec.ts`, "requirement('1.1', f);\nrequirement('9.9', f);\n");
    expect(faults(both)).toEqual([
      `${SUITE}/more.spec.ts: there is no requirement 9.9`,
      `${SUITE}/things.spec.ts: requirement 1.1 has two tests`,
    ]);
  });

  it('notices a test of what is said to be open', () => {
    expect(faults({ ...both, '1.2': { says: 'b', open: 'not yet' } })).toEqual([
      `${SUITE}/things.spec.ts: requirement 1.2 has a test, and says that it has none here`,
    ]);
  });

  it.each([
    ['libs/a.spec.ts', 'does'],
    ['libs/b.spec.ts', 'does it'],
  ])('notices that %s has no test "%s"', (file, test) => {
    expect(faults({ ...both, '1.3': { says: 'c', file, test } })).toEqual([
      `requirement 1.3: there is no test "${test}" in ${file}`,
    ]);
  });
});
