export { fieldPath } from '@understudy/field-problems';
