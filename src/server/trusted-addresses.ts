import { BlockList, isIP } from 'node:net';

/**
 * Whether an address is one of these, or of their networks. An IPv4 address may be written as an IPv6 one.
 * @param networks addresses and networks, such as 10.0.0.5 and 192.168.0.0/24
 */
export function trustedAddresses(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/i, '');
    return isIP(plain) !== 0 && list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  };
}
