import { styleText } from 'node:util';

const nameWidth = 14;
const maxWhatWidth = 58;
/** Of a line without what is done: its mark and name, and at its end `already there`. */
const otherWidth = 33;
const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Milliseconds between two lines about the same step where lines cannot be overwritten. */
const plainInterval = 3_000;

/**
 * Shows the steps of set-up: as a live line on a terminal, as plain lines elsewhere. Uses only Node built-ins, since it reports the installation of
 * everything else.
 * @param {{ stream?: NodeJS.WriteStream, interactive?: boolean, colour?: boolean }} [options]
 */
export function createReporter(options = {}) {
  const stream = options.stream ?? process.stdout;
  const interactive = options.interactive ?? Boolean(stream.isTTY);
  const colour = options.colour ?? (!process.env.NO_COLOR && (interactive || Boolean(process.env.FORCE_COLOR)));
  const paint = (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  /** @type {Set<{ name: string, what: string, since: number }>} */
  const active = new Set();
  let timer;
  let frame = 0;

  function format(mark, name, what, end) {
    const whatWidth = Math.min(maxWhatWidth, (stream.columns || Number.POSITIVE_INFINITY) - otherWidth);
    return `  ${mark} ${name.padEnd(nameWidth)} ${what.padEnd(whatWidth)} ${end}`.trimEnd();
  }

  function drawLive() {
    const [latest] = [...active].slice(-1);
    if (!latest || !interactive) return;
    const line = format(spinnerFrames[frame++ % spinnerFrames.length], latest.name, latest.what, seconds(latest.since));
    stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
  }

  function print(line) {
    stream.write(interactive ? `\r\x1b[2K${line}\n` : `${line}\n`);
    drawLive();
  }

  function finish(step) {
    active.delete(step);
    if (active.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  return {
    /** Begins a step, which ends when `done` or `fail` is called. */
    begin(name, what = '') {
      const step = { name, what, since: performance.now() };
      let lastPlain = performance.now();
      active.add(step);
      if (interactive && timer === undefined) timer = setInterval(drawLive, 100).unref();
      drawLive();
      return {
        update(text) {
          if (text === step.what) return;
          step.what = text;
          if (!interactive && performance.now() - lastPlain > plainInterval) {
            lastPlain = performance.now();
            print(format(' ', name, text, ''));
          }
        },
        done(text, { alreadyThere = false } = {}) {
          finish(step);
          print(
            format(paint('green', '✓'), name, text, paint('dim', alreadyThere ? 'already there' : seconds(step.since))),
          );
        },
        fail(text) {
          finish(step);
          print(format(paint('red', '✗'), name, text, paint('dim', seconds(step.since))));
        },
      };
    },
    note(text) {
      print(text);
    },
  };
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
