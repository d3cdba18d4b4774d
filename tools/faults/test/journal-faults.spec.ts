import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { journalFaults } from '../src/checks/journal-faults.js';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'journal-faults-'));
  mkdirSync(join(state, 'journal'));
});
afterEach(() => rmSync(state, { recursive: true }));

const event = (seq: number) => `{"kind":"event","journal_seq":${seq}}`;
const acknowledged = (...seqs: number[]) => `{"kind":"acknowledged","journal_seqs":[${seqs.join()}]}`;
const write = (name: string, text: string) => writeFileSync(join(state, 'journal', name), text);

describe('the check of a journal', () => {
  it('finds no problem if every event is acknowledged and a killed process left half a line', async () => {
    write('1.ndjson', `${event(1)}\n${event(2)}\n{"kind":"ev`);
    write('2.ndjson', `${acknowledged(2, 1)}\n`);
    expect(await journalFaults(state)).toEqual([]);
  });

  it('reports a repeated number, an incomplete line, and an event that was not acknowledged', async () => {
    write('1.ndjson', `${event(1)}\n{"kind":"ev${event(2)}\n${event(3)}\n`);
    write('2.ndjson', `${event(1)}\n${acknowledged(1)}\n`);
    expect(await journalFaults(state)).toEqual([
      'line 2 of 1.ndjson is not JSON',
      'event 1 is written twice',
      'event 3 is not acknowledged',
    ]);
  });
});
