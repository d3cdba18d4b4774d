import { TEST_EVENT, type DeliveredEventType } from '../events/webhook-event.js';

/** An event for people, without the markup of a service. */
export interface ChatMessage {
  readonly title: string;
  /** Labels with their values. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The page of the dashboard about the event. Null if the public URL leads to the control plane's own machine. */
  readonly link: string | null;
}

/** The titles of messages, by event. The argument is the name of the job, snapshot or agent. */
const TITLES: Readonly<Record<DeliveredEventType, (name: string) => string>> = {
  'sync.started': (name) => `Sync job “${name}” has started`,
  'sync.completed': (name) => `Sync job “${name}” has completed`,
  'sync.failed': (name) => `Sync job “${name}” has failed`,
  'sync.reverted': (name) => `Sync job “${name}” is reverted`,
  'sync.revert_failed': (name) => `The revert of sync job “${name}” has failed`,
  'snapshot.created': (name) => `Snapshot “${name}” is ready`,
  'snapshot.failed': (name) => `Snapshot “${name}” has failed`,
  'snapshot.restored': (name) => `Snapshot “${name}” is restored`,
  'restore.failed': (name) => `The restore of snapshot “${name}” has failed`,
  'agent.away': (name) => `Agent “${name}” is away`,
  'agent.back': (name) => `Agent “${name}” is back`,
  [TEST_EVENT]: () => 'Test event of Understudy',
};

/** The pages of the dashboard, by the field of `data` that has the id. */
const PAGES = {
  job_id: 'sync-jobs',
  snapshot_id: 'snapshots',
  agent_id: 'agents',
  webhook_id: 'webhooks',
};

/** The host of a URL that is of no use on another machine. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the message from the standard body of an event. Pure.
 * @param publicUrl the URL of the control plane, to which the path of a page is added
 */
export function chatMessageOf(standardBody: string, publicUrl: string): ChatMessage {
  const { event, data } = JSON.parse(standardBody) as { event: string; data: Record<string, unknown> };
  const { name, ...facts } = data;
  const titles: Readonly<Record<string, ((name: string) => string) | undefined>> = TITLES;
  return {
    title: titles[event]?.(String(name)) ?? event, // a newer version may have recorded the event
    facts: Object.entries(facts).map(([field, value]) => [labelOf(field), textOf(value)]),
    link: linkTo(facts, publicUrl),
  };
}

function linkTo(data: Readonly<Record<string, unknown>>, publicUrl: string): string | null {
  if (LOOPBACK.test(new URL(publicUrl).hostname)) return null;
  const page = Object.entries(PAGES).find(([field]) => field in data);
  return page === undefined ? null : `${publicUrl}/dashboard/${page[1]}/${String(data[page[0]])}`;
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (value === null || value === '') return '–';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '–';
  if (typeof value !== 'object') return String(value);
  const { code, message } = value as { code?: unknown; message?: unknown };
  return `${String(message)} (${String(code)})`;
}
