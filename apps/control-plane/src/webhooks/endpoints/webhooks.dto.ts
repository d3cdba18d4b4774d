import { ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Length } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { IsIntegerBetween, Optional, expected } from '../../platform/http/dto/field-validators.js';
import { OptionalBody } from '../../platform/http/dto/no-fields.dto.js';
import { MAX_URL_LENGTH } from '../receivers/receiver-url.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../events/webhook-event.js';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../formats/webhook-format.js';

const URL_EXPECTED = `an http:// or https:// URL of at most ${MAX_URL_LENGTH} characters`;
const URL_DESCRIPTION =
  'The URL to which requests are sent: `https://…` or `http://…`, without user, password and fragment. Its host must have a public address.';
const EVENTS_DESCRIPTION = 'The events that are sent to the webhook.';
const EVENTS_EXPECTED = `expected only events from ${WEBHOOK_EVENT_TYPES.join(', ')}`;
export const FORMAT_DESCRIPTION =
  'The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.';
const FORMAT_EXPECTED = expected(`one of ${WEBHOOK_FORMATS.join(', ')}`);
export const DEFAULT_FORMAT: WebhookFormat = 'standard';

export class CreateWebhookDto {
  @Documented(URL_DESCRIPTION)
  @IsString(expected(URL_EXPECTED))
  @Length(1, MAX_URL_LENGTH, expected(URL_EXPECTED))
  url: string;

  @Documented(EVENTS_DESCRIPTION)
  @IsArray(expected('an array of events'))
  @ArrayNotEmpty(expected('at least one event'))
  @ArrayUnique(expected('each event once'))
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true, message: EVENTS_EXPECTED })
  events: WebhookEventType[];

  @Documented(FORMAT_DESCRIPTION, { default: DEFAULT_FORMAT })
  @Optional()
  @IsIn(WEBHOOK_FORMATS, FORMAT_EXPECTED)
  format?: WebhookFormat;
}

export class ChangeWebhookDto {
  @Documented(URL_DESCRIPTION)
  @Optional()
  @IsString(expected(URL_EXPECTED))
  @Length(1, MAX_URL_LENGTH, expected(URL_EXPECTED))
  url?: string;

  @Documented(EVENTS_DESCRIPTION)
  @Optional()
  @IsArray(expected('an array of events'))
  @ArrayNotEmpty(expected('at least one event'))
  @ArrayUnique(expected('each event once'))
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true, message: EVENTS_EXPECTED })
  events?: WebhookEventType[];

  @Documented(FORMAT_DESCRIPTION)
  @Optional()
  @IsIn(WEBHOOK_FORMATS, FORMAT_EXPECTED)
  format?: WebhookFormat;

  @Documented(
    '`false` disables the webhook. `true` enables it again, also if it was disabled because of failures.',
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  enabled?: boolean;
}

export const DEFAULT_OVERLAP_HOURS = 24;

@OptionalBody()
export class RotateWebhookSecretDto {
  @Documented(
    'How long the previous secret signs `webhook-signature` beside the new one. With 0 it stops immediately.',
    {
      default: DEFAULT_OVERLAP_HOURS,
    },
  )
  @Optional()
  @IsIntegerBetween(0, 168)
  overlap_hours?: number;
}
