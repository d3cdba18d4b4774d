/** The texts about failed calls: what happened, and what the reader can do. */
export const PROBLEM_TEXTS = {
  unauthorized: {
    title: 'You are signed out',
    remedy: 'Sign in again to continue.',
  },
  quota: {
    title: 'A limit of your plan is reached',
    remedy:
      'Delete something that you no longer need, or wait for the next billing cycle. Usage shows all limits.',
  },
  forbidden: {
    title: 'You are not allowed to do this',
    remedy: 'Ask an admin of your organisation for a role or an API key that allows it.',
  },
  notFound: {
    title: 'This does not exist',
    remedy: 'Somebody may have deleted it. Check the address, or go back to the list.',
  },
  conflict: {
    title: 'The state has changed',
    remedy: 'Load the page again to see the present state. Then try again.',
  },
  tooLarge: {
    title: 'This is too large',
    remedy: 'Send less at once, for example a smaller file.',
  },
  invalid: {
    title: 'The server did not accept this input',
    remedy: 'Correct the fields that are named here. Then try again.',
  },
  rateLimit: {
    title: 'There were too many requests',
    remedy: (seconds: number | undefined) =>
      seconds === undefined
        ? 'Wait for a minute. Then try again.'
        : `Wait for ${seconds} ${seconds === 1 ? 'second' : 'seconds'}. Then try again.`,
  },
  server: {
    title: 'The server failed',
    remedy: 'Try again in a moment. If it fails again, send the request id to the operator of the server.',
  },
  unavailable: {
    title: 'The server is not ready',
    remedy: 'Try again in a moment. If it lasts, inform the operator of the server.',
  },
  offline: {
    title: 'You are offline',
    text: 'This device has no connection to a network.',
    remedy: 'Check your connection. Then try again.',
  },
  unreachable: {
    title: 'The server cannot be reached',
    text: 'The server sent no response.',
    remedy: 'Check your connection, and whether the server is running. Then try again.',
  },
  notLoaded: {
    title: 'This page could not be loaded',
    text: 'The server did not send this page. It cannot be reached, or it was upgraded.',
    remedy: 'Check your connection, and whether the server is running. Then try again.',
  },
  interrupted: {
    title: 'The response of the server was incomplete',
    remedy: 'Try again.',
  },
  unknown: {
    title: 'This page failed',
    text: 'The page met an error that it does not know.',
    remedy: 'Load the page again. If it fails again, report the error.',
  },
} as const;

export const SAMPLE_TEXTS = { title: 'Sample values', again: 'Other values' } as const;
