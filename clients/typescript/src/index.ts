export { Understudy, type GenerateCsvOptions } from './understudy.js';
export * from './errors.js';
export type * from './generated/types.js';
export type { Jobs, WaitOptions } from './jobs.js';
export type { GenerateOptions, GenerationInfo } from './records/generation-info.js';
export type { GeneratedRecord, RecordStream } from './records/record-stream.js';
export type { Attempt, Fetch, UnderstudyOptions } from './transport/configuration.js';
export type { JsonCodec, LargeIntegers } from './transport/json.js';
export type { CallOptions, KeyedCallOptions } from './transport/request.js';
export {
  verifyWebhook,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookEventName,
  type WebhookHeaders,
} from './webhooks/verify-webhook.js';
export type { Webhooks } from './webhooks/webhooks.js';
