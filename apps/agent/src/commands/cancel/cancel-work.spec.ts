import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  listCancelRequests,
  removeRequest,
  sweepRequests,
  writeOutcome,
} from '../../operator/request-files.js';
import { writeStatus } from '../../operator/status-file.js';
import { cancelWork } from './cancel-work.js';

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'cancel-'));
  await sweepRequests(state, new Date());
  const now = new Date().toISOString();
  await writeStatus(state, {
    format: 1,
    written_at: now,
    agent_id: 'agt_1',
    version: '0.1.0',
    pid: 1,
    started_at: now,
    link: { is_connected: true, since: now, reason: null },
    last_reply_at: now,
    credential_valid_until: now,
    free_slots: 0,
    slots: 1,
    is_disk_low: false,
    jobs: [],
  });
});
afterEach(() => rm(state, { recursive: true }));

/** Waits for the request, as the agent does, and removes it. */
async function acceptRequest(): Promise<string> {
  for (;;) {
    const [request] = await listCancelRequests(state, () => undefined);
    if (request !== undefined && (await removeRequest(state, request.id))) return request.id;
    await nextTurn();
  }
}

describe('the command cancel', () => {
  it.each([
    ['completed', /was already committing, and it has completed\.$/],
    ['lease_lost', /it ended before that, with lease_lost\.$/],
  ])('exits with 1 if the work ended as %s', async (outcome, message) => {
    const running = cancelWork(state, 'job_1');
    await writeOutcome(state, await acceptRequest(), outcome);
    expect(await running).toEqual({ outcome, message: expect.stringMatching(message), exitCode: 1 });
    expect(await readdir(join(state, 'requests'))).toEqual([]);
  });

  it('exits with 3 if the agent accepted the request and the work does not end', async () => {
    const running = cancelWork(state, 'job_1', { waitMs: 500 });
    await acceptRequest();
    expect(await running).toMatchObject({ outcome: 'not_ended', exitCode: 3 });
  });

  it('withdraws the request and exits with 2 if no agent accepts it', async () => {
    expect(await cancelWork(state, 'job_1', { waitMs: 10 })).toMatchObject({
      outcome: 'not_running',
      exitCode: 2,
    });
    expect(await readdir(join(state, 'requests'))).toEqual([]);
  });

  it('does not accept an outcome that is not a code', async () => {
    const running = cancelWork(state, 'job_1', { waitMs: 500 });
    await writeOutcome(state, await acceptRequest(), 'cancelled\u001b[2J');
    expect(await running).toMatchObject({ outcome: 'not_ended', exitCode: 3 });
  });
});
