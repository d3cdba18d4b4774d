import { chatMessageOf, type ChatMessage } from './chat-message.js';
import { fittedText } from './fitted-text.js';

/** The forms that the body of a webhook's requests can have. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Returns the body of an event in a format. Pure: the same arguments give the same bytes. */
export function bodyIn(format: WebhookFormat, standardBody: string, publicUrl: string): string {
  if (format === 'standard') return standardBody;
  const message = chatMessageOf(standardBody, publicUrl);
  return format === 'slack' ? slackBody(message) : teamsBody(message);
}

/** The limits of Slack on characters and on the fields of a section. */
const MAX_HEADER = 150;
const MAX_FIELD = 2_000;
const MAX_FIELDS = 10;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escape = (character: string) => ENTITIES[character] ?? character;

/**
 * Returns the body for an incoming webhook of Slack. All text of an event is `plain_text`, in which Slack interprets no
 * mrkdwn. `text` is for notifications.
 */
function slackBody({ title, facts, link }: ChatMessage): string {
  const header = plain(title, MAX_HEADER);
  const fields = facts.slice(0, MAX_FIELDS).map(([label, value]) => plain(`${label}: ${value}`, MAX_FIELD));
  const blocks = [
    { type: 'header', text: header },
    ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
    ...(link === null ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: linkTo(link) } }]),
  ];
  return JSON.stringify({ text: header.text, mrkdwn: false, blocks });
}

function plain(text: string, limit: number) {
  return { type: 'plain_text', text: fittedText(text, limit, escape), emoji: false };
}

function linkTo(url: string): string {
  return `<${Array.from(url.replaceAll('|', '%7C'), escape).join('')}|Open in Understudy>`;
}

/** With at most 10 facts and 3 bytes for a code unit, a card has less than the 28 KB that Teams accepts. */
const MAX_TITLE = 200;
const MAX_VALUE = 600;
const MAX_FACTS = 10;

/**
 * Returns the body for a workflow of Microsoft Teams: a message with an Adaptive Card. All text of an event is in
 * elements `TextRun`, in which Teams interprets no Markdown.
 */
function teamsBody({ title, facts, link }: ChatMessage): string {
  const rows = facts
    .slice(0, MAX_FACTS)
    .map(([label, value]) =>
      block([run(`${label}: `, MAX_TITLE, { isSubtle: true }), run(value, MAX_VALUE)]),
    );
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block([run(title, MAX_TITLE, { weight: 'Bolder', size: 'Medium' })]), ...rows],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Understudy', url: link }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return JSON.stringify({ type: 'message', attachments: [{ contentType, contentUrl: null, content }] });
}

function block(inlines: readonly object[]) {
  return { type: 'RichTextBlock', inlines };
}

/** Separates `{{`, because clients replace `{{DATE(…)}}`. */
function run(text: string, limit: number, style: object = {}) {
  return { type: 'TextRun', text: fittedText(text.replaceAll('{{', '{\u200b{'), limit), ...style };
}
