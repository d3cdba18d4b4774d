import { DELIVERED_EVENT_TYPES } from '../events/webhook-event.js';
import { fittedText } from './fitted-text.js';
import { bodyIn } from './webhook-format.js';

const PUBLIC_URL = 'https://understudy.example.com/a';
/** Text that each service would interpret, if it were not plain text. */
const HOSTILE =
  '<!channel> *a* _b_ ~c~ `d` & <https://evil.example|click> [x](https://evil.example) {{DATE(…)}}';

interface SlackText {
  readonly type: string;
  readonly text: string;
}
interface SlackMessage {
  readonly text: string;
  readonly mrkdwn: boolean;
  readonly blocks: readonly { type: string; text?: SlackText; fields?: readonly SlackText[] }[];
}
interface Run {
  readonly type: string;
  readonly text: string;
}
interface TeamsMessage {
  readonly attachments: readonly [
    { content: { body: { type: string; inlines: Run[] }[]; actions?: { url: string }[] } },
  ];
}

const body = (event: string, data: object) =>
  JSON.stringify({ id: 'evt_1', event, timestamp: '2026-11-21T09:30:00.000Z', data });
const slack = (event: string, data: object, url = PUBLIC_URL) =>
  JSON.parse(bodyIn('slack', body(event, data), url)) as SlackMessage;
const teams = (event: string, data: object, url = PUBLIC_URL) =>
  JSON.parse(bodyIn('teams', body(event, data), url)) as TeamsMessage;
const cardOf = ({ attachments: [{ content }] }: TeamsMessage) => content;
const runsOf = (message: TeamsMessage) => cardOf(message).body.flatMap(({ inlines }) => inlines);
const plainOf = ({ blocks }: SlackMessage) =>
  blocks.flatMap(({ text, fields = [] }) => [...(text ? [text] : []), ...fields]);

const FAILED = {
  job_id: 'job_1',
  name: 'nightly',
  rows_processed: 5,
  duration_seconds: null,
  error: { code: 'disk_full', message: 'The disk is full.' },
};

describe('the body in the format standard', () => {
  it('has the bytes of the event', () => {
    const standard = body('sync.failed', FAILED);
    expect(bodyIn('standard', standard, PUBLIC_URL)).toBe(standard);
  });
});

describe('the body in the format slack', () => {
  it('has a text for notifications, and blocks with the facts and a link to the dashboard', () => {
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
    const url = 'https://understudy.example.com/a/dashboard/sync-jobs/job_1';
    expect(slack('sync.failed', FAILED)).toEqual({
      text: 'Sync job “nightly” has failed',
      mrkdwn: false,
      blocks: [
        { type: 'header', text: plain('Sync job “nightly” has failed') },
        {
          type: 'section',
          fields: [
            plain('Job id: job_1'),
            plain('Rows processed: 5'),
            plain('Duration seconds: –'),
            plain('Error: The disk is full. (disk_full)'),
          ],
        },
        { type: 'section', text: { type: 'mrkdwn', text: `<${url}|Open in Understudy>` } },
      ],
    });
  });

  it('contains names only as escaped plain text', () => {
    const message = slack('agent.away', { agent_id: 'agt_1', name: HOSTILE, away_since: HOSTILE });
    expect(message).toMatchObject({ mrkdwn: false, text: expect.stringContaining('&lt;!channel&gt; *a*') });
    for (const { type, text } of plainOf(message).slice(0, -1)) {
      expect(type).toBe('plain_text');
      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    }
  });

  it('stays within the limits of Slack, and cuts no escape sequence', () => {
    const long = '&'.repeat(5_000);
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, long]));
    const { blocks } = slack('snapshot.failed', { ...data, name: long });
    const [header, section] = blocks;
    expect(header?.text?.text.length).toBeLessThanOrEqual(150);
    expect(header?.text?.text).toMatch(/^Snapshot “(&amp;)+…$/);
    expect(section?.fields).toHaveLength(10);
    for (const { text } of section?.fields ?? []) expect(text.length).toBeLessThanOrEqual(2_000);
  });
});

describe('the body in the format teams', () => {
  it('is a message with an Adaptive Card, whose text is in elements without Markdown', () => {
    const message = teams('sync.failed', { ...FAILED, name: HOSTILE });
    expect(message).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: { type: 'AdaptiveCard', version: '1.4' },
        },
      ],
    });
    expect(new Set(cardOf(message).body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
    expect(new Set(runsOf(message).map(({ type }) => type))).toEqual(new Set(['TextRun']));
    expect(runsOf(message).map(({ text }) => text)).toEqual([
      `Sync job “${HOSTILE.replace('{{', '{\u200b{')}” has failed`,
      ...['Job id: ', 'job_1', 'Rows processed: ', '5', 'Duration seconds: ', '–'],
      ...['Error: ', 'The disk is full. (disk_full)'],
    ]);
    const url = 'https://understudy.example.com/a/dashboard/sync-jobs/job_1';
    expect(cardOf(message).actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open in Understudy', url }]);
  });

  it.each(['\u{1f4a5}', '\u0000', '"', '語'])(
    'has at most 28 KB if every text is full of %j',
    (character) => {
      const long = character.repeat(5_000);
      const data = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, long]));
      const text = bodyIn('teams', body('sync.failed', { ...data, job_id: 'job_1', name: long }), PUBLIC_URL);
      expect(Buffer.byteLength(text)).toBeLessThan(28 * 1024);
    },
  );
});

describe('a message in a chat', () => {
  it.each(DELIVERED_EVENT_TYPES)('has a title for %s', (event) => {
    expect(slack(event, { name: 'nightly', webhook_id: 'wh_1' }).text).toMatch(
      /^[A-Z].*(nightly|Understudy)/,
    );
  });

  it('has the name of an event that this version does not know', () => {
    expect(slack('sync.of_tomorrow', { job_id: 'job_1' }).text).toBe('sync.of_tomorrow');
  });

  it('has no empty section, which Slack refuses', () => {
    expect(slack('sync.of_tomorrow', {}).blocks).toEqual([expect.objectContaining({ type: 'header' })]);
  });

  it.each([
    [{ snapshot_id: 'snap_1', restore_id: 'rst_1' }, 'snapshots/snap_1'],
    [{ agent_id: 'agt_1' }, 'agents/agt_1'],
    [{ webhook_id: 'wh_1' }, 'webhooks/wh_1'],
  ])('links to the page of %j', (data, page) => {
    const url = `${PUBLIC_URL}/dashboard/${page}`;
    expect(cardOf(teams('webhook.test', data)).actions).toMatchObject([{ url }]);
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1'])(
    'has no link if the public URL is %s, which leads nowhere on another machine',
    (url) => {
      expect(slack('sync.failed', FAILED, url).blocks).toHaveLength(2);
      expect(cardOf(teams('sync.failed', FAILED, url)).actions).toBeUndefined();
    },
  );
});

describe('a fitted text', () => {
  it('keeps a text that has exactly the limit, and cuts a longer one between characters', () => {
    expect(fittedText('a💥b', 4)).toBe('a💥b');
    expect(fittedText('a💥bc', 4)).toBe('a💥…');
    expect(fittedText('a💥bc', 3)).toBe('a…');
  });

  it('has spaces for characters that control a terminal or change the direction', () => {
    expect(fittedText('a\u202e\n\u001bb', 10)).toBe('a   b');
  });
});
