import type { AgentStatus, JobStatus } from '../../operator/status-file.js';

/** The result of a health check. */
export interface Health {
  readonly name: 'connected' | 'away' | 'not_running';
  readonly exitCode: 0 | 1 | 2;
}

/** Judges the status by the age of the file and of the last reply, so that it also notices an agent that was killed. */
export function judgeStatus(status: AgentStatus | undefined, now: Date): Health {
  if (status === undefined || !isRecent(status.written_at, OLDEST_FILE_MS, now))
    return { name: 'not_running', exitCode: 2 };
  return isRecent(status.last_reply_at, OLDEST_REPLY_MS, now)
    ? { name: 'connected', exitCode: 0 }
    : { name: 'away', exitCode: 1 };
}

/** Returns the lines that `status` prints. */
export function describeStatus(status: AgentStatus | undefined, { name }: Health, now: Date): string[] {
  if (status === undefined)
    return [
      'No agent runs on this state folder: it has no status.json. Start the agent, or look at its log if it is enrolling.',
    ];
  const age = (instant: string) => duration(now.getTime() - Date.parse(instant));
  const row = (label: string, text: string) => `${label.padEnd(11)} ${text}`;
  const lines = [
    row('agent', `${status.agent_id}, version ${status.version}, process ${status.pid}`),
    row('started', `${status.started_at} (${age(status.started_at)} ago)`),
    row('link', linkText(status, age)),
    row('last reply', replyText(status, name === 'connected', age)),
    row('credential', credentialText(status, now)),
    row('slots', `${status.free_slots} of ${status.slots} free`),
    ...(status.is_disk_low ? [row('disk', 'low: the agent accepts no work until more space is free')] : []),
    ...status.jobs.flatMap((job) =>
      jobTexts(job, name, now, age).map((text, i) => row(i === 0 ? 'job' : '', text)),
    ),
  ];
  if (name !== 'not_running') return lines;
  return [
    `No agent runs on this state folder: the last status is ${age(status.written_at)} old. Start the agent, or look at its log if it should run. The status was:`,
    ...lines,
  ];
}

type Age = (instant: string) => string;

function linkText({ link }: AgentStatus, age: Age): string {
  if (link.is_connected) return `connected since ${link.since} (${age(link.since)})`;
  const reason = link.reason === null ? '' : `: ${link.reason}`;
  return `not connected since ${link.since} (${age(link.since)})${reason}`;
}

function replyText({ last_reply_at: at, started_at: startedAt }: AgentStatus, isRecent: boolean, age: Age) {
  if (at === null) return `none: no word from the control plane since the start, ${startedAt}`;
  return isRecent ? `${at} (${age(at)} ago)` : `no word from the control plane since ${at} (${age(at)})`;
}

function credentialText({ credential_valid_until: until }: AgentStatus, now: Date): string {
  if (until === null) return 'none yet';
  const leftMs = Date.parse(until) - now.getTime();
  return leftMs > 0 ? `valid until ${until}` : `expired at ${until}`;
}

/** Returns the lines about a job. While the control plane does not reply, one line gives the rest of the grace period. */
function jobTexts(job: JobStatus, health: Health['name'], now: Date, age: Age): string[] {
  const { id, epoch, since, snapshot_since: snapshot, last_renewed_at: renewed, stops_at: stops } = job;
  const leftMs = Date.parse(stops) - now.getTime();
  return [
    `${id} (epoch ${epoch}), since ${since} (${age(since)})`,
    ...(snapshot === null
      ? []
      : [`its snapshot is ${age(snapshot)} old and holds back vacuum on the source`]),
    ...(health === 'away'
      ? [`no word since ${renewed}: the job goes on for ${duration(leftMs)}, until ${stops}`]
      : []),
  ];
}

/** Returns whether an instant is in the past and not older than the limit. A clock may be a few seconds off. */
function isRecent(instant: string | null, limitMs: number, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(instant ?? '');
  return ageMs <= limitMs && ageMs >= -CLOCK_STEP_MS;
}

/** Returns a duration such as `3 h 5 min`, `12 min` or `40 s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** The agent writes the file every 2 s. */
const OLDEST_FILE_MS = 15_000;
/** Fifteen heartbeats without a reply. */
const OLDEST_REPLY_MS = 30_000;
/** After the clock was set back by more than this, the file counts as outdated until the agent writes it again. */
const CLOCK_STEP_MS = 5_000;
