import { code, table } from '../generators-page/markdown.js';
import { type Page, pageIsFresh } from '../pages/page.js';
import { statementsOf, type Statement } from './check-conformance.js';
import type { State } from './remarks.js';

export const CONFORMANCE_PAGE: Page = {
  path: 'docs/reference/conformance.md',
  text: (root) => conformancePage(statementsOf(root)),
};

/**
 * Checks the reference, the numbers in the titles of tests, and the committed page.
 * @returns the number of statements
 * @throws Error as `statementsOf` does, or if the page is outdated
 */
export async function conformanceHolds(root: string): Promise<string> {
  const statements = statementsOf(root);
  await pageIsFresh(root, { ...CONFORMANCE_PAGE, text: () => conformancePage(statements) });
  return `${statements.length} statements`;
}

const MEANING: Readonly<Record<State, string>> = {
  covered: 'Understudy works as the reference states. The named tests show it.',
  'decided otherwise':
    'Understudy differs on purpose. The note describes the difference, and the tests show it.',
  'left open': 'The reference leaves this open. The note has the decision, and the tests show it.',
  planned: 'Not built yet, or only in part.',
  'not testable': 'A lead-in, or a statement that a test cannot show.',
};

/** Builds docs/reference/conformance.md: each statement of the reference with its state, note and tests. */
export function conformancePage(statements: readonly Statement[]): string {
  const count = (state: string): string => String(statements.filter((each) => each.state === state).length);
  const sections = [...new Set(statements.map(({ unit }) => unit.section))];
  return [
    '# Conformance',
    '<!-- Written by `npm run generate` from titles of tests and tools/repository/src/conformance. Do not edit. -->',
    'This page compares Understudy with the [API reference](../reference.md). Look up here which statements of the ' +
      'reference are true, which ones differ, and which tests show it. ' +
      'A statement is a sentence, a list item or a table row of the reference. ' +
      'The title of a test begins with the numbers of the statements that it shows. ' +
      '`npm run check` fails if a statement has no test, or a title has the number of no statement. ' +
      '`npm test` fails if a test that is named here did not run. ' +
      '[ADR 56](../adr/0056-count-conformance-by-statement.md) describes the rules.',
    table(
      ['state', 'statements', 'meaning'],
      Object.entries(MEANING).map(([state, meaning]) => [state, count(state), meaning]),
    ),
    ...sections.flatMap((section) => [
      `## ${section}`,
      table(
        ['no.', 'the reference', 'state', 'note and tests'],
        statements
          .filter(({ unit }) => unit.section === section)
          .map((each) => [each.unit.id, quoted(each.unit.text), each.state, shownBy(each)]),
      ),
    ]),
    '',
  ].join('\n\n');
}

/** Joins the cells of a table row with middle dots. Returns any other text unchanged. */
function quoted(text: string): string {
  if (!text.startsWith('|')) return text;
  return text
    .replace(/^\|\s*|\s*\|$/g, '')
    .split(/\s*\|\s*/)
    .filter((cell) => cell !== '')
    .join(' · ');
}

function shownBy({ note, tests }: Statement): string {
  const shown = tests.map(({ file, group, title }) => `${code(file)}: ${escaped(group + title)}`);
  return [...(note === undefined ? [] : [note]), ...shown].join('<br>');
}

/** Escapes the characters of a plain text that Markdown would read as markup. */
function escaped(title: string): string {
  return title.replace(/[<>*_`[\]]/g, (symbol) => `\\${symbol}`);
}
