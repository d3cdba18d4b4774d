import { ConfigurationError } from '../config/environment.js';
import type { OutgoingLine } from './journal-entry.js';
import { journalFolder, listSegments, readSegment, type SegmentFile, segmentName } from './segment-files.js';

/**
 * Prints the outgoing messages of the journal, oldest first, and the places of damaged lines. Holds one segment in
 * memory at a time.
 * @throws ConfigurationError if the folder has no journal
 */
export async function printEgress(
  stateDir: string,
  options: { readonly json: boolean; readonly write: (line: string) => void },
): Promise<void> {
  for (const file of await segmentsOf(stateDir)) {
    const segment = segmentName(file.number);
    for (const { line: number, content: line } of await readSegment(file)) {
      if (line === undefined) {
        const damaged = { kind: 'damaged', segment, line: number };
        options.write(options.json ? JSON.stringify(damaged) : `${segment}: line ${number} is damaged`);
        continue;
      }
      if (line.kind === 'segment' || line.kind === 'acknowledged') continue;
      options.write(options.json ? JSON.stringify(line) : readable(line));
    }
  }
}

async function segmentsOf(stateDir: string): Promise<readonly SegmentFile[]> {
  try {
    return await listSegments(journalFolder(stateDir));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    throw new ConfigurationError('There is no journal', [
      'UNDERSTUDY_AGENT_STATE_DIR: the folder has no journal: name the state folder of an agent that has been started',
    ]);
  }
}

function readable(line: OutgoingLine): string {
  const number = line.journal_seq === undefined ? '' : ` #${line.journal_seq}`;
  return `${line.at}  ${line.kind}${number}  ${line.subject}  ${JSON.stringify(line.message)}`;
}
