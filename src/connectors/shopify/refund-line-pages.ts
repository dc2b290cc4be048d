import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { type PaidOrder, PaidRefundLine } from './payment-responses.ts';
import type { ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { MORE_REFUND_LINES } from './shopify-queries.ts';
import { PageInfo } from './shopify-responses.ts';

const LINES_A_PAGE = 100;

/** A refund with its first lines, as a list of orders has them. */
interface PagedRefund<Line> {
  readonly id: string;
  readonly refundLineItems: {
    readonly pageInfo: z.output<typeof PageInfo>;
    readonly nodes: readonly Line[];
  };
}

/**
 * All lines of a refund: a list of orders has only its first ones.
 * @param line the format of a line, as the caller needs it
 * @throws ConnectorError
 */
export async function refundLinesOf<Line>(
  calls: ShopifyCalls,
  account: Account,
  { id, refundLineItems: { pageInfo, nodes } }: PagedRefund<Line>,
  line: z.ZodType<Line>,
  signal: AbortSignal,
): Promise<Line[]> {
  const start = pageInfo.endCursor;
  if (!pageInfo.hasNextPage || !start) return [...nodes];
  const lines = [...nodes];
  const Page = z.object({
    refund: z.object({ refundLineItems: z.object({ pageInfo: PageInfo, nodes: z.array(line) }) }).nullish(),
  });
  const pages = pagesOf<Line>(LINES_A_PAGE, async (_, after) => {
    const variables = { id, after: after ?? start };
    const call = { operation: 'refundLines', query: MORE_REFUND_LINES, variables };
    const { data } = await calls.ask(account, call, Page, 'list of refunded lines', signal);
    return data.refund?.refundLineItems ?? { pageInfo: { hasNextPage: false }, nodes: [] };
  });
  for await (const more of pages) lines.push(...more);
  return lines;
}

/** An order with all lines of its refunds. @throws ConnectorError */
export async function withRefundLines(
  calls: ShopifyCalls,
  account: Account,
  order: PaidOrder,
  signal: AbortSignal,
): Promise<PaidOrder> {
  const refunds: PaidOrder['refunds'] = [];
  for (const refund of order.refunds) {
    const nodes = await refundLinesOf(calls, account, refund, PaidRefundLine, signal);
    refunds.push({ ...refund, refundLineItems: { ...refund.refundLineItems, nodes } });
  }
  return { ...order, refunds };
}
