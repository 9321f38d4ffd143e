/** Never connected to, whatever name leads there: this machine, its link, the metadata services of clouds, and what is no single host. */
export const neverReached = [
  '0.0.0.0/8',
  '100.100.100.200/32',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::7f00:0/104',
  '64:ff9b::a9fe:0/112',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fe80::/10',
  'ff00::/8',
] as const;

/** Not on the public internet, or leading to others: RFC 6890 and its successors. */
export const notPublic = [
  ...neverReached,
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Of IPv6, 2000::/3 is global unicast; what is outside of it is loopback, link-local, unique local, mapped and translated IPv4, multicast.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
] as const;
