import type { AgentStatus } from '../../operator/status-file.js';
import { describeStatus, judgeStatus } from './describe-status.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();

function status(changes: Partial<AgentStatus> = {}): AgentStatus {
  return {
    format: 1,
    written_at: ago(1),
    agent_id: 'agt_1',
    version: '0.1.0',
    pid: 7,
    started_at: ago(7_500),
    link: { is_connected: true, since: ago(300), reason: null },
    last_reply_at: ago(1),
    credential_valid_until: ago(-600),
    free_slots: 0,
    slots: 1,
    is_disk_low: false,
    jobs: [],
    ...changes,
  };
}

describe('the health of an agent', () => {
  it.each<[string, Partial<AgentStatus> | undefined, string, number]>([
    ['there is no status', undefined, 'not_running', 2],
    ['the last reply is 30 s old', { last_reply_at: ago(30) }, 'connected', 0],
    ['the last reply is 31 s old', { last_reply_at: ago(31) }, 'away', 1],
    ['there was no reply since the start', { last_reply_at: null }, 'away', 1],
    ['the status is 15 s old', { written_at: ago(15) }, 'connected', 0],
    ['the status is 16 s old', { written_at: ago(16), last_reply_at: ago(16) }, 'not_running', 2],
    ['the clock was set back since the status was written', { written_at: ago(-3_600) }, 'not_running', 2],
    [
      'the clock was set back by two seconds',
      { written_at: ago(-2), last_reply_at: ago(-2) },
      'connected',
      0,
    ],
  ])('if %s', (_, changes, name, exitCode) => {
    expect(judgeStatus(changes && status(changes), NOW)).toEqual({ name, exitCode });
  });
});

describe('the text of a status', () => {
  const lines = (changes: Partial<AgentStatus>) => {
    const shown = status(changes);
    return describeStatus(shown, judgeStatus(shown, NOW), NOW);
  };

  it('names the time of the last word, the cause and the remedy while the link is down', () => {
    const reason = 'cannot reach nats.example.com:4222: the connection was refused; check the port';
    expect(
      lines({ last_reply_at: ago(600), link: { is_connected: false, since: ago(599), reason } }),
    ).toEqual(
      expect.arrayContaining([
        `link        not connected since ${ago(599)} (9 min): ${reason}`,
        `last reply  no word from the control plane since ${ago(600)} (10 min)`,
      ]),
    );
  });

  it('names the age of the snapshot of a job, and the rest of its grace period while there is no reply', () => {
    const job = {
      id: 'job_1',
      epoch: 2,
      since: ago(7_200),
      snapshot_since: ago(7_100),
      last_renewed_at: ago(600),
      stops_at: ago(-7_500),
    };
    expect(lines({ jobs: [job], last_reply_at: ago(600) }).slice(-3)).toEqual([
      `job         job_1 (epoch 2), since ${ago(7_200)} (2 h 0 min)`,
      '            its snapshot is 118 min old and holds back vacuum on the source',
      `            no word since ${ago(600)}: the job goes on for 2 h 5 min, until ${ago(-7_500)}`,
    ]);
    expect(lines({ jobs: [{ ...job, snapshot_since: null }] }).slice(-1)).toEqual([
      `job         job_1 (epoch 2), since ${ago(7_200)} (2 h 0 min)`,
    ]);
  });

  it('reports an expired credential and a full disk', () => {
    expect(lines({ credential_valid_until: ago(5), is_disk_low: true })).toEqual(
      expect.arrayContaining([
        `credential  expired at ${ago(5)}`,
        'disk        low: the agent accepts no work until more space is free',
      ]),
    );
  });
});
