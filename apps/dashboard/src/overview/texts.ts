export const TEXTS = {
  title: 'Overview',
  meta: (organization: string) => `The state of ${organization}.`,
  screens: 'Screens',
} as const;
