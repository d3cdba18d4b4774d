import type { ColumnProposal } from './column-proposals.js';
import type { TableFindings } from './findings.js';

/** Columns of type tsvector hold the words of texts: beside texts that get rules they are emptied. Computed ones follow by themselves. */
export function searchIndexes(findings: readonly TableFindings[]): readonly ColumnProposal[] {
  return findings.flatMap(({ table, personal }, index) =>
    personal.length === 0
      ? []
      : table.columns
          .filter(({ type, isGenerated, isArray }) => type === 'tsvector' && !isGenerated && !isArray)
          .map(({ name }) => ({
            places: [{ table: index, column: name }],
            candidates: [{ type: 'list', values: [''] }],
            what: 'a search index',
            reason: 'its type says that it holds the words of other columns, and some of those get rules',
          })),
  );
}
