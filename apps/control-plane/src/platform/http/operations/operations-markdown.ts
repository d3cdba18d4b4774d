import type { Operation } from './operation.js';
import { ROLES } from '../pipeline/caller.js';

/** Returns the operations as a Markdown page whose columns are aligned. */
export function operationsMarkdown(operations: readonly Operation[]): string {
  const head = ['Operation', 'Request', 'Role', 'Scope', 'What it does'];
  const rows = operations.map((row) => [
    `\`${row.id}\``,
    `\`${row.method} ${row.path}\``,
    row.role,
    row.role === 'public' || row.scope === null ? '' : `\`${row.scope}\``,
    row.summary,
  ]);
  return `${INTRODUCTION}\n${table([head, ...rows])}`;
}

const INTRODUCTION = `# Operations of the API

<!-- Written by \`npm run generate\` from the operations in apps/control-plane/src. Do not edit. -->

Each role includes the roles before it: ${ROLES.join(' < ')}. A \`public\` operation needs no token. A token that is restricted to scopes needs the
operation's scope, too; \`…:write\` includes \`…:read\`.
`;

function table(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const padded = rows.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [padded[0], line(widths.map((width) => '-'.repeat(width))), ...padded.slice(1)].join('');
}
