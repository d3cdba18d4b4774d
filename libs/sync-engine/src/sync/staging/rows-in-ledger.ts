import type { LedgerChunk } from './staging-ledger.js';

/** Rows of a table that the ledger counts. */
export function rowsInLedger(ledger: readonly LedgerChunk[], tableIndex: number): number {
  return ledger.reduce((sum, chunk) => (chunk.tableIndex === tableIndex ? sum + chunk.rows : sum), 0);
}
