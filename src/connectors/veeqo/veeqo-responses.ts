import { z } from 'zod';
import { tolerant } from '#connectors/passed-over.ts';

/**
 * The members of Veeqo's responses that are used, validated as untrusted input. Amounts come as numbers or as text;
 * anything else, and anything negative, fails its row.
 */
const Amount = z
  .union([z.number(), z.string().regex(/^\d{1,12}(\.\d{1,12})?$/)])
  .transform(Number)
  .pipe(z.number().min(0).max(99_999_999.99));

const Text = z.string().max(10_000).nullish();

const Sellable = z.object({
  id: z.int().positive(),
  type: Text,
  sku_code: Text,
  title: Text,
  full_title: Text,
  product_title: Text,
  /** Dollars; null when it was not entered. */
  cost_price: Amount.nullish(),
  weight_grams: Amount.nullish(),
});
export type Sellable = z.output<typeof Sellable>;

const Product = z.object({
  id: z.int().positive(),
  title: Text,
  deleted_at: z.string().nullish(),
  sellables: z.array(tolerant(Sellable, 'sku_code', 'id')),
});
export type Product = z.output<typeof Product>;

/** GET /products */
export const ProductsPage = z.array(tolerant(Product, 'id'));
