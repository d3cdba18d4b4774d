import { code, table } from '../generators-page/markdown.js';
import { sectionOf, type UnitWithRow } from './check-conformance.js';
import type { Row, Section, State } from './row.js';

const MEANING: Readonly<Record<State, string>> = {
  covered: 'Understudy works as the reference states. The named tests show it.',
  'decided otherwise':
    'Understudy differs on purpose. The note describes the difference, and the tests show it.',
  'left open': 'The reference leaves this open. The note has the decision, and the tests show it.',
  planned: 'Not built yet, or only in part.',
  'not testable': 'A lead-in, or a statement that a test cannot show.',
};

/** Builds docs/reference/conformance.md: each unit of the reference with its state, note and tests. */
export function conformancePage(sections: readonly Section[], rows: readonly UnitWithRow[]): string {
  const count = (state: State): string => String(rows.filter(({ row }) => row.state === state).length);
  return [
    '# Conformance',
    '<!-- Written by `npm run generate` from tools/repository/src/conformance. Do not edit. -->',
    'This page compares Understudy with the [API reference](../reference.md). Look up here which statements of the ' +
      'reference are true, which ones differ, and which tests show it. ' +
      'A statement is a sentence, a list item or a table row of the reference. ' +
      '`npm run check` fails if a statement has no row here, or a row has no statement. ' +
      '`npm test` fails if a test that is named here did not run. ' +
      '[ADR 56](../adr/0056-count-conformance-by-statement.md) describes the rules.',
    table(
      ['state', 'statements', 'meaning'],
      Object.entries(MEANING).map(([state, meaning]) => [state, count(state as State), meaning]),
    ),
    ...sections.flatMap(({ number, title }) => [
      `## ${number} ${title}`.trim(),
      table(
        ['no.', 'the reference', 'state', 'note and tests'],
        rows
          .filter(({ unit }) => sectionOf(unit.id) === number)
          .map(({ unit, row }) => [unit.id.replace(/^.* /, ''), quoted(unit.text), row.state, shownBy(row)]),
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

function shownBy(row: Row): string {
  const tests = row.tests.map(({ file, title }) => `${code(file)}: ${escaped(title)}`);
  return [...('note' in row ? [row.note] : []), ...tests].join('<br>');
}

/** Escapes the characters of a plain text that Markdown would read as markup. */
function escaped(title: string): string {
  return title.replace(/[<>*_`[\]]/g, (symbol) => `\\${symbol}`);
}
