/** eBay's codes for a price that is not above the one at which Best Offers are declined, or accepted. */
export const AT_AUTO_DECLINE = '22003';
export const AT_AUTO_ACCEPT = '23004';

/**
 * The code of a refusal. The Inventory API has one for any error of the seller's, whose words show which: those about Best
 * Offers are reported by the codes that the Trading API has for them, since eBay would repeat them.
 */
export function refusalCode(code: string, words: string): string {
  if (code !== '25002' || !/\bauto[- ]?(?:accept|decline)/i.test(words)) return code;
  return /\bauto[- ]?decline/i.test(words) ? AT_AUTO_DECLINE : AT_AUTO_ACCEPT;
}
