export const TEXTS = {
  title: 'Overview',
} as const;
