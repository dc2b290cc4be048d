import { z } from 'zod';
import { Id } from './fields.ts';

/** The lists that can have saved views. */
export const VIEW_LISTS = ['listings', 'history', 'skus'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

export const MAX_VIEWS = 50;

const Word = z.string().min(1).max(100);

/** The name of a parameter or column; `constructor` and `prototype` have a meaning in JavaScript. */
const MemberName = z.string().regex(/^(?!(?:constructor|prototype)$)[a-zA-Z]{1,40}$/);

/** The query string of a list: search, filters and order, by parameter. */
const ViewQuery = z
  .record(MemberName, z.string().max(2_000))
  .refine((query) => Object.keys(query).length <= 20, 'Expected at most 20 parameters');

/** Columns and row height; IDs of columns that no longer exist are ignored. */
const ViewLayout = z.strictObject({
  order: z.array(Word).max(100),
  hidden: z.array(Word).max(100),
  /** Visible columns that are hidden by default. */
  shown: z.array(Word).max(100).optional(),
  widths: z
    .record(MemberName, z.number().min(0).max(10_000))
    .refine((widths) => Object.keys(widths).length <= 100, 'Expected at most 100 columns'),
  density: z.enum(['comfortable', 'default', 'compact']).nullable(),
});

const ViewName = z.string().trim().min(1, 'Give the view a name').max(80, 'Use at most 80 characters');

/** A saved view of a list. */
export const View = z
  .object({
    id: Id,
    list: z.enum(VIEW_LISTS),
    name: z.string(),
    query: ViewQuery,
    layout: ViewLayout,
    /** All users see it. */
    isShared: z.boolean(),
    isMine: z.boolean(),
    /** Full name of its creator. */
    owner: z.string(),
    version: z.int(),
  })
  .meta({
    example: {
      id: '7',
      list: 'listings',
      name: 'Thin margins on Amazon',
      query: { marketplace: 'amazon', margin: 'below_10', sort: 'margin' },
      layout: { order: [], hidden: ['totalCost'], widths: {}, density: 'compact' },
      isShared: false,
      isMine: true,
      owner: 'Ann Arbor',
      version: 1,
    },
  });
export type View = z.output<typeof View>;

/** GET /api/views?list=listings: the caller's own by name, then those shared by others. */
export const ViewsQuery = z.strictObject({ list: z.enum(VIEW_LISTS) });
export const Views = z.object({ views: z.array(View) });

/** POST /api/views. Only administrators can share. */
export const NewView = z.strictObject({
  list: z.enum(VIEW_LISTS),
  name: ViewName,
  query: ViewQuery,
  layout: ViewLayout,
  isShared: z.boolean(),
});
export type NewView = z.output<typeof NewView>;

/** PUT /api/views/:id: by its owner, or an administrator for a shared one. 409 when it was saved after `version`. */
export const EditView = NewView.omit({ list: true }).extend({ version: z.int() });
export type EditView = z.output<typeof EditView>;
