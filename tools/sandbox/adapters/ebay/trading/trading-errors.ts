import { AT_AUTO_ACCEPT, AT_AUTO_DECLINE } from '#sandbox/adapters/ebay/inventory.ts';
import { leaf, node } from '#sandbox/xml.ts';

/** An error of the Trading API, with the names and values of what it concerns. */
export interface TradingError {
  readonly code: number;
  readonly message: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isOfSystem?: boolean;
}

const NAMESPACE = 'urn:ebay:apis:eBLBaseComponents';
const VERSION = '1379';

export const ERRORS = {
  unknownCall: { code: 2, message: 'Unsupported API call.' },
  badRequest: { code: 5, message: 'XML Parse error.' },
  badPage: { code: 21, message: 'Invalid page number or entries per page.' },
  badTimes: { code: 27, message: 'The time window is not valid.' },
  noToken: { code: 930, message: 'No XML <RequesterPassword> or token was specified in the call.' },
  badToken: { code: 21916984, message: 'Invalid IAF token.' },
  tokenExpired: {
    code: 21917053,
    message: 'Validation of the authentication token in API request failed: expired.',
  },
  callLimit: { code: 518, message: 'Your application has exceeded usage limit on this call.' },
  notFound: {
    code: 17,
    message: 'This item cannot be accessed because the listing has been deleted or is not yours.',
  },
  ended: { code: 291, message: 'You are not allowed to revise ended auctions.' },
  notFixedPrice: { code: 21916750, message: 'Only fixed price listings can be revised by this call.' },
  tooMany: { code: 21916254, message: 'At most four InventoryStatus containers are allowed.' },
  skuMismatch: { code: 21916635, message: 'The SKU does not belong to the item.' },
  inventoryModel: {
    code: 21919474,
    message: 'Inventory-based listing management is not currently supported by this tool.',
  },
  badPrice: { code: 73, message: 'Invalid price.' },
  // The limits of Best Offer, by the numbers and words that several sellers' programs report of live calls.
  atAutoAccept: { code: 23004, message: AT_AUTO_ACCEPT },
  atAutoDecline: { code: 22003, message: AT_AUTO_DECLINE },
  autoAcceptTooLow: { code: 23005, message: 'Auto Accept price must be higher than Auto Decline price.' },
  /** No page names the number; only the words say it. */
  tooOften: {
    code: 21919189,
    message: 'You have exceeded the number of revisions allowed for this listing today.',
  },
} as const satisfies Readonly<Record<string, TradingError>>;

export type Ack = 'Success' | 'Failure' | 'PartialFailure';

/** A whole response. @param moment of the world's clock */
export function tradingResponse(
  call: string,
  moment: number,
  ack: Ack,
  errors: readonly TradingError[],
  ...content: readonly string[]
): string {
  const head = [leaf('Timestamp', new Date(moment).toISOString()), leaf('Ack', ack)];
  const body = [...head, ...errors.map(errorView), leaf('Version', VERSION), ...content].join('');
  return `<?xml version="1.0" encoding="UTF-8"?><${call}Response xmlns="${NAMESPACE}">${body}</${call}Response>`;
}

function errorView({ code, message, parameters = {}, isOfSystem = false }: TradingError): string {
  return node(
    'Errors',
    leaf('ShortMessage', message),
    leaf('LongMessage', message),
    leaf('ErrorCode', code),
    leaf('SeverityCode', 'Error'),
    ...Object.entries(parameters).map(
      ([name, value]) => `<ErrorParameters ParamID="${name}">${leaf('Value', value)}</ErrorParameters>`,
    ),
    leaf('ErrorClassification', isOfSystem ? 'SystemError' : 'RequestError'),
  );
}
