import { AUDIT_ACTIONS } from '../platform/audit-log/audit-entry.js';
import { operationsMarkdown } from '../platform/http/operations/operations-markdown.js';
import { OPERATIONS } from '../api-description/operations.js';
import { errorsPage } from './errors-page.js';
import { limitsPage, markdownTable } from './limits-page.js';
import { DESCRIBED_VARIABLES } from '../platform/config/variables.js';

// Prints all pages as JSON. tools/repository runs this file to write and to check docs/reference. It cannot import the
// functions, because no project may import an app.

const PAGES: Readonly<Record<string, () => string>> = {
  api: () => `${operationsMarkdown(OPERATIONS)}\n## Actions of the audit log\n\n${auditActions()}\n`,
  errors: errorsPage,
  limits: limitsPage,
  variables: () =>
    markdownTable(
      ['variable', 'default', 'meaning'],
      DESCRIBED_VARIABLES.map(({ name, fallback, meaning }) => [`\`${name}\``, fallback, meaning]),
    ),
};

function auditActions(): string {
  return AUDIT_ACTIONS.map((action) => `- \`${action}\``).join('\n');
}

process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(PAGES).map(([name, page]) => [name, page()]))),
);
