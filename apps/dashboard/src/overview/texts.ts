export const TEXTS = {
  title: 'Overview',
  meta: (organization: string) => `The state of ${organization}.`,
} as const;
