import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decisionsPage } from '../src/pages/decisions-page.js';

describe('the index of the decisions', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'understudy-decisions-'));
    mkdirSync(join(root, 'docs/adr'), { recursive: true });
    record('0001-copy-in-parts', '# 1. Copy in parts', 'Accepted. Amended by 3.');
    record('0003-copy-large-parts', '# 3. Copy large parts', 'Accepted. Amends 1.');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function record(name: string, title: string, status: string): void {
    const text = `${title}\n\n**Status.** ${status}\n\n**Context.** Tables are large.\n`;
    writeFileSync(join(root, 'docs/adr', `${name}.md`), text);
  }

  it('has the title and the status of each record, and the numbers that no record has', () => {
    const page = decisionsPage(root);
    expect(page).toContain('| 1 | [Copy in parts](0001-copy-in-parts.md) | Accepted. Amended by 3. |');
    expect(page).toContain('never used: 2.');
  });

  it('links a record that is folded into a page of docs/design to that page, with the date of its decision', () => {
    const status = 'Decided on 2026-11-21. Folded into [copying](../design/copying.md#chunks).';
    record('0004-copy-in-chunks', '# 4. Copy in chunks', status);
    expect(decisionsPage(root)).toContain(`| 4 | [Copy in chunks](0004-copy-in-chunks.md) | ${status} |`);
  });

  it.each([
    ['Accepted.', '3 states "Amends 1"; expected "Amended by 3" in 1'],
    ['Accepted. Amended by 2 and 3.', '1 states "Amended by 2"; expected "Amends 1" in 2'],
    ['Superseded by 3.', '1 states "Superseded by 3"; expected "Replaces 1" in 3'],
  ])('is refused if only one of two records names their relation: %s', (status, message) => {
    record('0001-copy-in-parts', '# 1. Copy in parts', status);
    expect(() => decisionsPage(root)).toThrow(message);
  });

  it.each([
    ['# 2. Copy in parts', 'Accepted. Amended by 3.'],
    ['# 1. Copy in parts', 'accepted'],
    ['# 1. Copy in parts', 'Folded into [copying](../design/copying.md).'],
    ['# 1. Copy in parts', 'Decided on 2026-11-21. Folded into [0003](0003-copy-large-parts.md).'],
  ])('is refused if a record has another form: %s, %s', (title, status) => {
    record('0001-copy-in-parts', title, status);
    expect(() => decisionsPage(root)).toThrow('0001-copy-in-parts.md: expected "# 1. …"');
  });
});
