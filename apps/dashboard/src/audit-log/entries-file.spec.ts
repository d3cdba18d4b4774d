import type { AuditEntry } from '@understudy/client';

import { toFile } from './entries-file.js';

const ENTRY: AuditEntry = {
  id: 'aud_1',
  occurred_at: '2026-11-26T03:00:00.000Z',
  action: 'token.created',
  actor: { type: 'command_line', id: null, member_id: null },
  target: { type: 'token', id: 'tok_1' },
  request_id: null,
  details: { name: '=cmd(),\nx' },
};
const HEADER =
  'id,occurred_at,action,actor_type,actor_id,actor_member_id,target_type,target_id,request_id,details';

describe('toFile', () => {
  it('quotes each value of CSV, and leaves absent ones empty', async () => {
    const row = [
      '"aud_1","2026-11-26T03:00:00.000Z","token.created","command_line",,,"token","tok_1",,',
      String.raw`"{""name"":""=cmd(),\nx""}"`,
    ];
    await expect(toFile([ENTRY], 'csv').text()).resolves.toBe(`${HEADER}\r\n${row.join('')}\r\n`);
    await expect(toFile([], 'csv').text()).resolves.toBe(`${HEADER}\r\n`);
  });

  it('writes one JSON object in each line of NDJSON', async () => {
    const lines = (await toFile([ENTRY, ENTRY], 'ndjson').text()).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([ENTRY, ENTRY]);
  });
});
