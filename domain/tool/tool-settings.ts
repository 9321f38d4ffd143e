/** What made tools may use. */
export interface MadeToolSettings {
  /** Modules that their code may import, by language, submodules included; for Python also single names of modules (`operator.itemgetter`). */
  imports: { python: string[]; javascript: string[] };
  /** Longest time for one call. */
  timeoutSeconds: number;
  /** Memory for one call, files included. */
  memoryMegabytes: number;
}

const whole =
  'base64 binascii bisect calendar collections colorsys copy csv datetime decimal difflib fractions hashlib heapq hmac html io ipaddress ' +
  'itertools json math numbers random re secrets statistics struct textwrap time unicodedata urllib.parse uuid xml.etree.ElementTree zlib zoneinfo';

/** From modules that can also read attributes or evaluate text by name, only the names that cannot. */
const named: Record<string, string> = {
  dataclasses: 'FrozenInstanceError KW_ONLY asdict astuple dataclass field fields is_dataclass replace',
  enum: 'Enum Flag IntEnum IntFlag StrEnum auto unique',
  functools: 'cache cached_property cmp_to_key lru_cache partial reduce total_ordering',
  operator:
    'abs add and_ concat contains countOf eq floordiv ge getitem gt index indexOf inv invert is_ is_not itemgetter le lshift lt mod mul ne neg ' +
    'not_ or_ pos pow rshift sub truediv truth xor',
  string:
    'Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable punctuation whitespace',
  typing:
    'Any Callable ClassVar DefaultDict Deque Dict Final FrozenSet Generic Hashable Iterable Iterator List Literal Mapping MutableMapping NamedTuple ' +
    'Optional Sequence Set Tuple Type TypeAlias TypeVar TypedDict Union cast overload',
};

/** The parts of the standard libraries that compute; none that start processes, reach the network or evaluate text. */
export const defaultToolSettings: MadeToolSettings = {
  imports: {
    python: [
      ...whole.split(' '),
      ...Object.entries(named).flatMap(([module, names]) => names.split(' ').map((name) => `${module}.${name}`)),
    ],
    javascript: ['assert', 'buffer', 'crypto', 'path', 'querystring', 'string_decoder', 'url', 'util', 'zlib'],
  },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
};
