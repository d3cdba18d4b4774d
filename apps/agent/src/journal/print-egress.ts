import type { OutgoingLine } from './journal-entry.js';
import { journalFolder, listSegments, readSegment } from './segment-files.js';

/** Prints the outgoing messages of the journal, oldest first. Holds one segment in memory at a time. */
export async function printEgress(
  stateDir: string,
  options: { readonly json: boolean; readonly write: (line: string) => void },
): Promise<void> {
  for (const { path } of await listSegments(journalFolder(stateDir))) {
    for (const line of await readSegment(path)) {
      if (line.kind === 'segment' || line.kind === 'acknowledged') continue;
      options.write(options.json ? JSON.stringify(line) : readable(line));
    }
  }
}

function readable(line: OutgoingLine): string {
  const number = line.journal_seq === undefined ? '' : ` #${line.journal_seq}`;
  return `${line.at}  ${line.kind}${number}  ${line.subject}  ${JSON.stringify(line.message)}`;
}
