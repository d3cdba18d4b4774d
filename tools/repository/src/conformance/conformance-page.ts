import { code, table } from '../generators-page/markdown.js';
import { declaredTests } from './find-tests.js';
import { isDeviation, says, type Requirement, type Section } from './requirement.js';
import { SECTIONS } from './requirements.js';

/** docs/conformance.md: every requirement, its test and its state. */
export function conformancePage(root: string): string {
  const files = new Map(declaredTests(root).map(({ id, file }) => [id, file]));
  const all = SECTIONS.flatMap(({ requirements }) => Object.values(requirements));
  const count = (state: State): number => all.filter((requirement) => stateOf(requirement) === state).length;
  return [
    '# Conformance',
    '<!-- Written by `npm run generate` from tools/repository/src/conformance. Do not edit. -->',
    'What the API reference says, sentence by sentence in short, and the test that shows it. Numbers are those of its sections, then that of the sentence. ' +
      '`npm run check` fails when a covered sentence has no test or a test no sentence; the suite itself is ' +
      '`npm test -- apps/control-plane/test/conformance`.',
    table(
      ['state', 'sentences', ''],
      [
        ['covered', String(count('covered')), 'a test shows it: one of the suite, or the one that is named'],
        ['deviation', String(count('deviation')), 'built otherwise; its test is expected to fail until then'],
        [
          'open',
          String(count('open')),
          'not built yet, or nothing that a test could show; the reason is given',
        ],
      ],
    ),
    ...SECTIONS.flatMap((section) => [`## ${section.number} ${section.title}`, rows(section, files)]),
    '',
  ].join('\n\n');
}

type State = 'covered' | 'deviation' | 'open';

function stateOf(requirement: Requirement): State {
  if (isDeviation(requirement)) return 'deviation';
  return typeof requirement === 'object' && 'open' in requirement ? 'open' : 'covered';
}

function rows({ number, requirements }: Section, files: ReadonlyMap<string, string>): string {
  return table(
    ['', 'sentence', 'state', 'test'],
    Object.entries(requirements).map(([n, requirement]) => [
      `${number}.${n}`,
      says(requirement),
      stateOf(requirement),
      shownBy(`${number}.${n}`, requirement, files),
    ]),
  );
}

function shownBy(id: string, requirement: Requirement, files: ReadonlyMap<string, string>): string {
  if (typeof requirement === 'object' && 'open' in requirement) return requirement.open;
  if (typeof requirement === 'object' && 'test' in requirement)
    return `${code(requirement.file)}: ${requirement.test}`;
  const file = code(files.get(id)?.split('/').at(-1) ?? '');
  return isDeviation(requirement) ? `${file}: ${requirement.seen}` : file;
}
