import { PNG } from 'pngjs';
import { FINALIZER, image2sixel, introducer, sixelEncode } from 'sixel';

/** Pixels of the widest picture: it is legible, and written in a blink. */
const maxWidth = 800;
/** Pixels of a column of text, of which small fonts have about that many. */
const columnWidth = 8;
/** Colours of a picture: of DEC's standard, and of what terminals keep. */
const maxColors = 256;
/** Pixels of the largest picture that is decoded: a small file can hold more than memory does. */
const maxPixels = 20_000_000;

/**
 * A PNG file as sixel, scaled down to the width of the terminal, on white, since sixel has no half-transparent pixels. Undefined for a file that can't
 * be decoded, is too large, or is interlaced: pngjs does not limit what it unpacks of such a file.
 */
export function sixelPicture(content: Buffer, { columns }: { columns: number }): string | undefined {
  const png = decodePng(content);
  if (!png) return undefined;
  const { data, width, height } = scaleDown(png, Math.min(maxWidth, columns * columnWidth));
  const colors = [...new Set(new Uint32Array(data.buffer))];
  // the library's choice of colours mixes those that it could keep: red and blue become violet
  const written =
    colors.length <= maxColors
      ? introducer() + sixelEncode(data, width, height, colors) + FINALIZER
      : image2sixel(data, width, height, maxColors);
  return `${written}\n`;
}

function decodePng(content: Buffer): PNG | undefined {
  if (content.length < 29) return undefined;
  const pixels = content.readUInt32BE(16) * content.readUInt32BE(20);
  const isInterlaced = content[28] !== 0;
  if (pixels > maxPixels || isInterlaced) return undefined;
  try {
    return PNG.sync.read(content);
  } catch {
    return undefined; // a damaged file is no reason to end a chat
  }
}

/** Each pixel of the result is the mean of the pixels that it stands for. */
function scaleDown(png: PNG, widest: number): { data: Uint8Array<ArrayBuffer>; width: number; height: number } {
  const width = Math.min(png.width, widest);
  const height = Math.max(1, Math.round((png.height * width) / png.width));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = range(y, height, png.height);
    for (let x = 0; x < width; x++) data.set(meanOnWhite(png, range(x, width, png.width), rows), (y * width + x) * 4);
  }
  return { data, width, height };
}

function range(index: number, length: number, ofLength: number): [from: number, to: number] {
  const from = Math.floor((index * ofLength) / length);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * ofLength) / length))];
}

function meanOnWhite(
  { data, width }: PNG,
  [left, right]: [number, number],
  [top, bottom]: [number, number],
): [red: number, green: number, blue: number, alpha: number] {
  const count = (right - left) * (bottom - top);
  let [red, green, blue] = [0, 0, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4;
      const alpha = (data[at + 3] ?? 0) / 255;
      const white = (1 - alpha) * 255;
      red += alpha * (data[at] ?? 0) + white;
      green += alpha * (data[at + 1] ?? 0) + white;
      blue += alpha * (data[at + 2] ?? 0) + white;
    }
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count), 255];
}
