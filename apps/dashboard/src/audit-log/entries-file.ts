import type { AuditEntry } from '@understudy/client';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = [
  'id',
  'occurred_at',
  'action',
  'actor_type',
  'actor_id',
  'actor_member_id',
  'target_type',
  'target_id',
  'request_id',
  'details',
];

/** Returns the entries as a file: CSV as in RFC 4180 with a header, or one JSON object in each line. */
export function toFile(entries: readonly AuditEntry[], format: ExportFormat): Blob {
  if (format === 'ndjson')
    return new Blob(
      entries.map((entry) => `${JSON.stringify(entry)}\n`),
      { type: 'application/x-ndjson' },
    );
  const rows = entries.map((entry) => cellsOf(entry).map(quoted).join());
  return new Blob(
    [COLUMNS.join(), ...rows].map((row) => `${row}\r\n`),
    { type: 'text/csv' },
  );
}

/** Details are JSON, so no cell begins with a sign that a spreadsheet takes for a formula. */
function cellsOf({ id, occurred_at: time, action, actor, target, request_id: request, details }: AuditEntry) {
  const by = [actor.type, actor.id, actor.member_id];
  return [id, time, action, ...by, target.type, target.id, request, JSON.stringify(details)];
}

function quoted(cell: string | null): string {
  return cell === null ? '' : `"${cell.replaceAll('"', '""')}"`;
}
