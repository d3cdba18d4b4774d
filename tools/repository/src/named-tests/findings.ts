import type { NamedTestReference } from './named-tests.js';

export const FINDINGS_PAGE = 'docs/security/findings.md';

/** One section of docs/security/findings.md. */
export interface SecurityReviewEntry {
  /** For example `H1`. */
  readonly id: string;
  readonly severity: string;
  /** The description of the change, or `accepted. <reason>`, or `planned. <where>`. */
  readonly changed: string;
  readonly tests: readonly NamedTestReference[];
}

const SEVERITIES: ReadonlySet<string> = new Set(['high', 'medium', 'low']);
const TEST_LINE = /^ {2}- `([^`]+)`: (.+)$/;
const CONTINUED = /\n {4,}(?=\S)/g;

/**
 * Parses docs/security/findings.md.
 * @returns the sections, and one line for each fault: an invalid section or an open finding
 */
export function parseFindings(page: string): {
  readonly findings: readonly SecurityReviewEntry[];
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const findings = page
    .split(/^## /m)
    .slice(1)
    .map((section): SecurityReviewEntry => {
      const id = /^([HML]\d+)\. /.exec(section)?.[1];
      if (id === undefined)
        faults.push(`expected a heading such as "## H1. …", got "## ${firstLine(section)}"`);
      const by = `finding ${id ?? firstLine(section)}`;
      const severity = fieldOf(section, 'Severity');
      if (!SEVERITIES.has(severity))
        faults.push(`${by}: Severity must be high, medium or low, got "${severity}"`);
      const changed = fieldOf(section, 'Changed');
      const tests = testsOf(section, by, faults);
      const isKept = /^(accepted|planned)\. \S/.test(changed);
      if (changed === '' || /^(open|accepted|planned)\.?$/.test(changed))
        faults.push(
          `${by}: Changed must describe the change, or be "accepted. <reason>" or "planned. <where>"`,
        );
      if (tests.length === 0 && !isKept) faults.push(`${by}: Tests must name at least one test`);
      return { id: id ?? '', severity, changed, tests };
    });
  if (findings.length === 0) faults.push(`${FINDINGS_PAGE} has no findings`);
  return { findings, faults };
}

/** Returns the text of the field `- Name: …` on one line. The text ends where the next field begins. */
function fieldOf(section: string, name: string): string {
  const text = new RegExp(`^- ${name}:([^]*?)(?=^- |(?![^]))`, 'm').exec(section)?.[1] ?? '';
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the list below `- Tests:`. A long title may continue on an indented line. */
function testsOf(section: string, by: string, faults: string[]): readonly NamedTestReference[] {
  const lines = section.replace(CONTINUED, ' ').split('\n');
  const start = lines.findIndex((line) => line.startsWith('- Tests:'));
  if (start < 0) {
    faults.push(`${by}: expected "- Tests:"`);
    return [];
  }
  const tests: NamedTestReference[] = [];
  for (const line of lines.slice(start + 1).filter((each) => each.trim() !== '')) {
    const [, file, title] = TEST_LINE.exec(line) ?? [];
    if (file === undefined || title === undefined)
      faults.push(`${by}: expected "  - \`path\`: title" below Tests, got "${line}"`);
    else tests.push({ by, file, title });
  }
  return tests;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
