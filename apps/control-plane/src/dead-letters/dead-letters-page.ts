import type { RecordedLetter } from './dead-letters.service.js';

/** The maximum number of rows on the page. */
export const ROWS_SHOWN = 200;

/** Returns a complete HTML page. Escapes all texts, because agents choose them. */
export function deadLettersPage(letters: readonly RecordedLetter[]): string {
  const head = COLUMNS.map(([title]) => `<th>${escaped(title)}</th>`).join('');
  const rows = letters.map((letter) => {
    const cells = COLUMNS.map(([, read]) => `<td>${escaped(read(letter))}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  const codes = Object.entries(MEANINGS).map(
    ([code, meaning]) => `<dt><code>${escaped(code)}</code></dt><dd>${escaped(meaning)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Dead letters · Understudy</title><style>${STYLE}</style></head>
<body>
<p><a href="/ops">Queues</a></p>
<h1>Dead letters</h1>
<p>These messages of agents could not be applied. The page shows the newest ${ROWS_SHOWN} with ids and codes, but without their content.</p>
${letters.length === 0 ? '<p>There are no dead letters.</p>' : `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`}
<h2>Codes</h2>
<dl>${codes.join('')}</dl>
</body>
</html>
`;
}

const COLUMNS: readonly (readonly [title: string, read: (letter: RecordedLetter) => string])[] = [
  ['Last', ({ lastAt }) => lastAt.toISOString()],
  ['First', ({ firstAt }) => firstAt.toISOString()],
  ['Times', ({ times }) => String(times)],
  ['Organisation', ({ organizationId }) => organizationId ?? ''],
  ['Agent', ({ agentId }) => agentId],
  ['Code', ({ code }) => code],
  ['SQLSTATE', ({ sqlstate }) => sqlstate ?? ''],
  ['Kind', ({ pattern }) => pattern ?? ''],
  ['Work', ({ workId }) => workId ?? ''],
  ['Journal number', ({ journalSeq }) => journalSeq],
];

const MEANINGS = {
  not_an_event: 'The bytes do not encode an event. The message was dropped.',
  malformed: 'A field is missing or out of range. The event was dropped and acknowledged to the agent.',
  refused_by_database: 'PostgreSQL refused the data. The event was dropped and acknowledged to the agent.',
  unknown_event:
    'The agent is newer than this control plane. The agent keeps the event and repeats it. Upgrade the control plane.',
  not_addressed:
    'The message arrived on the subject of an agent that did not send it. The message was dropped.',
} as const;

const STYLE =
  'body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}' +
  'th,td{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;font-size:13px}dt{margin-top:.5rem}';

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
