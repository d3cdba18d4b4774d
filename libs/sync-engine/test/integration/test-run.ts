export { casesOf, inBoth, inRelease, it } from '@understudy/testing';
