/** "-$1,234.50". @param amount a decimal string of any length, since a number cannot hold all cents */
export function dollars(amount: string): string {
  const [whole = '0', cents = '00'] = amount.replace('-', '').split('.');
  return `${amount.startsWith('-') ? '-' : ''}$${BigInt(whole).toLocaleString('en-US')}.${cents}`;
}
