import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Line {
  readonly kind: string;
  readonly journal_seq?: number;
  readonly journal_seqs?: readonly number[];
}

/**
 * Checks an agent's journal.
 * @returns one sentence for each problem; empty if every event has its own number and was acknowledged
 */
export async function journalFaults(stateFolder: string): Promise<string[]> {
  const folder = join(stateFolder, 'journal');
  const wrong: string[] = [];
  const waiting = new Set<number>();
  const seen = new Set<number>();
  for (const name of (await readdir(folder)).sort()) {
    const texts = (await readFile(join(folder, name), 'utf8')).split('\n');
    const end = texts.pop() ?? ''; // the unfinished line of a process that was killed, or an empty text
    for (const [index, text] of texts.entries()) {
      const line = parsed(text);
      if (line === undefined) wrong.push(`line ${index + 1} of ${name} is not JSON`);
      if (line?.kind === 'event' && line.journal_seq !== undefined) {
        if (seen.has(line.journal_seq)) wrong.push(`event ${line.journal_seq} is written twice`);
        seen.add(line.journal_seq);
        waiting.add(line.journal_seq);
      }
      line?.journal_seqs?.forEach((seq) => waiting.delete(seq));
    }
    if (parsed(end) !== undefined) wrong.push(`the last line of ${name} is complete but has no line end`);
  }
  return [...wrong, ...[...waiting].map((seq) => `event ${seq} is not acknowledged`)];
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
