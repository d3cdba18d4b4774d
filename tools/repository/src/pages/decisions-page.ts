import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Decision {
  readonly number: number;
  readonly file: string;
  readonly title: string;
  readonly status: string;
}

const FORM = /^# (\d+)\. (.+)\n\n\*\*Status\.\*\* ([^]*?)\n\n/;
const STATUS =
  /^(Accepted|Superseded by \d+|Decided on \d{4}-\d\d-\d\d\. Folded into \[[^\]]+\]\(\.\.\/design\/[^)]+\))\./;
/** The relations of two records. Each has a counterpart in the other record. */
const COUNTERPARTS = [
  ['Amends', 'Amended by'],
  ['Replaces', 'Superseded by'],
] as const;

/**
 * Writes the index of the decisions from their titles and status lines.
 * @throws Error if a record has another form, or if only one of two records names their relation
 */
export function decisionsPage(root: string): string {
  const decisions = readdirSync(join(root, 'docs/adr'))
    .filter((file) => /^\d{4}-/.test(file))
    .sort()
    .map((file) => readDecision(root, file));
  const missing = COUNTERPARTS.flatMap(([one, other]) => [
    ...missingCounterparts(decisions, one, other),
    ...missingCounterparts(decisions, other, one),
  ]);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  const known = new Set(decisions.map(({ number }) => number));
  const unused = Array.from({ length: Math.max(...known) }, (_, index) => index + 1).filter(
    (n) => !known.has(n),
  );
  return `# Architecture decisions

<!-- Written by \`npm run generate\` from the records. Do not edit. -->

Each record states the context, the decision and its consequences. If a later record changes a decision, the
status of the older record names the later one. If several records have one subject, they are folded into a page
of [docs/design](../design), and only the decision and its rejected alternatives remain. These pages and
[ARCHITECTURE.md](../../ARCHITECTURE.md) describe the present code.

To add a record, take the next number, and write about 25 lines with a title and a status like those of the others.
These numbers were never used: ${unused.join(', ')}.

| No. | Decision | Status |
| --- | --- | --- |
${decisions.map(({ number, file, title, status }) => `| ${number} | [${title}](${file}) | ${status} |`).join('\n')}
`;
}

function readDecision(root: string, file: string): Decision {
  const path = join('docs/adr', file);
  const [, number, title, lines] = FORM.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  const status = lines?.replaceAll('\n', ' ') ?? '';
  if (title === undefined || !STATUS.test(status) || Number(number) !== Number(file.slice(0, 4)))
    throw new Error(
      `${path}: expected "# ${Number(file.slice(0, 4))}. …", and then "**Status.** Accepted. …" ` +
        'or "**Status.** Decided on <date>. Folded into [<page>](../design/<page>.md). …"',
    );
  return { number: Number(number), file, title, status };
}

function missingCounterparts(
  decisions: readonly Decision[],
  relation: string,
  counterpart: string,
): string[] {
  return decisions.flatMap(({ number, status }) =>
    related(status, relation)
      .filter((other) => !related(statusOf(decisions, other), counterpart).includes(number))
      .map(
        (other) =>
          `docs/adr: ${number} states "${relation} ${other}"; expected "${counterpart} ${number}" in ${other}`,
      ),
  );
}

function statusOf(decisions: readonly Decision[], number: number): string {
  return decisions.find((decision) => decision.number === number)?.status ?? '';
}

/** Returns the numbers after a relation: `Amends 2, 50 and 52.` */
function related(status: string, relation: string): number[] {
  const list = new RegExp(`\\b${relation} ([\\d, and]+)\\.`).exec(status)?.[1] ?? '';
  return [...list.matchAll(/\d+/g)].map(([number]) => Number(number));
}
