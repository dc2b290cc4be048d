/** The sections of the settings in the order of the page; the keys are the fragments of links to them. */
export const SECTION_TITLES = {
  general: 'General Settings',
  limits: 'Repricing limits',
  'own-sellers': 'Your sellers',
  inventory: 'Inventory Management',
  marketplaces: 'Marketplace Integrations',
  backups: 'Backups',
  books: 'Books',
  login: 'Login',
  'api-tokens': 'API tokens',
  webhooks: 'Webhooks',
} as const;
export type SectionId = keyof typeof SECTION_TITLES;

export const SECTIONS = Object.keys(SECTION_TITLES) as readonly SectionId[];
