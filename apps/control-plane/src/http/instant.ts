export { INSTANT_EXPECTED, INSTANT_FORM, parseInstant, startOfUtcDay } from '@understudy/sync-request';
