import { code, table } from '../generators-page/markdown.js';
import { sectionOf, type UnitWithRow } from './check-conformance.js';
import type { Row, Section, State } from './row.js';

const MEANING: Readonly<Record<State, string>> = {
  covered: 'the named tests show it',
  'decided otherwise': 'built differently on purpose; the note says how and the tests show it',
  'left open': 'the reference does not decide it; the note does and the tests show it',
  planned: 'not built yet, or only in part',
  'not testable': 'a lead-in, or a statement that no test could show',
};

/** docs/conformance.md: each unit of the reference, its state and its tests. */
export function conformancePage(sections: readonly Section[], rows: readonly UnitWithRow[]): string {
  const count = (state: State): string => String(rows.filter(({ row }) => row.state === state).length);
  return [
    '# Conformance',
    '<!-- Written by `npm run generate` from tools/repository/src/conformance. Do not edit. -->',
    'This page compares Understudy with the [API reference](reference.md), statement by statement. ' +
      'A statement is a sentence, a list item or a table row of the reference. ' +
      '`npm run check` fails if a statement has no row here, or a row has no statement. ' +
      '`npm test` fails if a test that is named here did not run. ' +
      '[ADR 56](adr/0056-count-conformance-by-statement.md) describes the rules.',
    table(
      ['state', 'statements', 'meaning'],
      Object.entries(MEANING).map(([state, meaning]) => [state, count(state as State), meaning]),
    ),
    ...sections.flatMap(({ number, title }) => [
      `## ${number} ${title}`.trim(),
      table(
        ['', 'the reference', 'state', 'shown by'],
        rows
          .filter(({ unit }) => sectionOf(unit.id) === number)
          .map(({ unit, row }) => [unit.id.replace(/^.* /, ''), quoted(unit.text), row.state, shownBy(row)]),
      ),
    ]),
    '',
  ].join('\n\n');
}

/** A table row of the reference is shown with its cells apart, without the bars. */
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

/** Titles are plain text: what Markdown would read as markup is escaped. */
function escaped(title: string): string {
  return title.replace(/[<>*_`[\]]/g, (symbol) => `\\${symbol}`);
}
