/** What made tools may use. */
export interface MadeToolSettings {
  /** Modules that their code may import, by language; parts of a module are allowed with it. */
  imports: { python: string[]; javascript: string[] };
  /** The longest that one call may take. */
  timeoutSeconds: number;
  /** What one call may use, files included. */
  memoryMegabytes: number;
}

/** Parts of the standard libraries that compute; none that starts processes, reaches the network or evaluates text. */
export const defaultToolSettings: MadeToolSettings = {
  imports: {
    python: (
      'base64 binascii bisect calendar collections colorsys copy csv dataclasses datetime decimal difflib enum fractions functools hashlib heapq ' +
      'hmac html io ipaddress itertools json math numbers operator random re secrets statistics string struct textwrap time typing unicodedata ' +
      'urllib.parse uuid xml.etree.ElementTree zlib zoneinfo'
    ).split(' '),
    javascript: ['assert', 'buffer', 'crypto', 'path', 'querystring', 'string_decoder', 'url', 'util', 'zlib'],
  },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
};
