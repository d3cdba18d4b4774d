import { TEXTS } from './texts.js';

/** The first page after the sign-in. */
export function OverviewPage() {
  return <h1>{TEXTS.title}</h1>;
}
