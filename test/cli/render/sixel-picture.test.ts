import { expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { decode } from 'sixel';
import { sixelPicture } from '../../../cli/render/sixel-picture.ts';

type Pixel = [red: number, green: number, blue: number, alpha: number];
const red: Pixel = [255, 0, 0, 255];
const blue: Pixel = [0, 0, 255, 255];
const white: Pixel = [255, 255, 255, 255];
/** What is around the data: the decoder takes the data alone. */
const [begin, end] = ['\u001bP0;0;q', '\u001b\\\n'];

function pngOf(width: number, height: number, pixel: (x: number, y: number) => Pixel): Buffer {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) png.data.set(pixel(x, y), (y * width + x) * 4);
  return PNG.sync.write(png);
}

function decoded(content: Buffer, columns = 100) {
  const written = sixelPicture(content, { columns }) ?? '';
  expect([written.startsWith(begin), written.endsWith(end)]).toEqual([true, true]);
  const { width, height, data32 } = decode(written.slice(begin.length, -end.length));
  const bytes = new Uint8Array(data32.buffer, data32.byteOffset);
  return { width, height, at: (x: number, y: number) => [...bytes.subarray((y * width + x) * 4).subarray(0, 4)] };
}

test('a picture keeps its size and colours', () => {
  const { width, height, at } = decoded(pngOf(40, 20, (x) => (x < 20 ? red : blue)));
  expect([width, height]).toEqual([40, 20]);
  expect([at(0, 0), at(19, 19), at(20, 0), at(39, 19)]).toEqual([red, red, blue, blue]);
});

test('a picture wider than the terminal is scaled down', () => {
  const { width, height, at } = decoded(
    pngOf(1_000, 500, (x) => (x < 500 ? red : blue)),
    40,
  );
  expect([width, height]).toEqual([320, 160]);
  expect([at(0, 0), at(159, 159), at(160, 0), at(319, 159)]).toEqual([red, red, blue, blue]);
});

test('a picture in a very wide terminal has 800 pixels in a row at most', () => {
  const { width, height } = decoded(
    pngOf(1_600, 10, () => red),
    400,
  );
  expect([width, height]).toEqual([800, 5]);
});

test('a picture of more than 256 colours comes close to them', () => {
  const { at } = decoded(pngOf(64, 64, (x, y) => [x * 4, y * 4, 128, 255]));
  for (const [x, y] of [
    [5, 5],
    [60, 10],
    [30, 50],
  ] as const)
    for (const [channel, value] of [x * 4, y * 4, 128].entries())
      expect(Math.abs((at(x, y)[channel] ?? 0) - value)).toBeLessThan(24);
});

test('a transparent picture is shown on white', () => {
  const { at } = decoded(pngOf(6, 6, (x) => (x < 3 ? [0, 0, 0, 0] : red)));
  expect([at(0, 0), at(5, 5)]).toEqual([white, red]);
});

const valid = pngOf(6, 6, () => red);
test.each([
  ['a damaged file', Buffer.concat([valid.subarray(0, 40), Buffer.alloc(9)])],
  ['a file that ends in its header', valid.subarray(0, 20)],
  ['an interlaced file', withByte(28, 1)],
  ['a file that unpacks to more than memory holds', withByte(16, 0x7f)],
])('%s is not shown', (_, content) => {
  expect(sixelPicture(content, { columns: 80 })).toBeUndefined();
});

function withByte(position: number, value: number): Buffer {
  const changed = Buffer.from(valid);
  changed[position] = value;
  return changed;
}
