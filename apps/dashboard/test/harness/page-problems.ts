import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** The texts of policy violations, errors and warnings in the pages of one browser context. */
export class PageProblems {
  readonly texts: string[] = [];

  static async watch(context: BrowserContext): Promise<PageProblems> {
    const problems = new PageProblems();
    await context.exposeFunction('understudyReportsViolation', (text: string) =>
      problems.texts.push(`policy violation: ${text}`),
    );
    await context.addInitScript(REPORT_VIOLATIONS);
    context.on('weberror', (error) => problems.texts.push(`page error: ${error.error().message}`));
    context.on('console', (message) => {
      if (isProblem(message))
        problems.texts.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    return problems;
  }
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  window.understudyReportsViolation(
    [event.violatedDirective, event.blockedURI, event.sourceFile, event.sample].join(' ')))`;

/**
 * The browser itself reports each failed call of the API, and each connection that a test refuses. The page shows such
 * a failure, so it is not a problem.
 */
function isProblem(message: ConsoleMessage): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  const isFailedLoad = message.text().startsWith('Failed to load resource');
  const isRefused = message.text().endsWith('net::ERR_CONNECTION_REFUSED');
  return !(isFailedLoad && (isRefused || API.test(message.location().url)));
}

/** The calls of the API and the server's own routes for the page. */
const API = /\/(v1|dashboard\/(session|sessions|sign-in-links|oidc|invitation|mock))(\/|\?|$)/;
